# The installation, as an image: docker build -t stormproof:0.1.0 .
#
#   docker run --rm stormproof:0.1.0 --help
#   docker run -d --read-only --tmpfs /tmp:exec -e STORMPROOF_BOOTSTRAP_SERVERS=kafka1:9092 -e STORMPROOF_GROUP_ID=stormproof \
#     -e STORMPROOF_INPUT_TOPICS=orders stormproof:0.1.0 watch
#
# Nothing is written but to /tmp, where compression libraries unpack their native parts, and load them: Docker makes a tmpfs noexec unless told.
FROM eclipse-temurin:17-jdk AS build
WORKDIR /src
COPY . .
RUN ./mvnw -B -q -DskipTests package \
    && mkdir /opt/stormproof \
    && tar -xzf target/stormproof-*.tar.gz -C /opt/stormproof --strip-components=1 \
    && rm -r /opt/stormproof/storm

FROM eclipse-temurin:17-jre
COPY --from=build /opt/stormproof /opt/stormproof
ENV PATH=/opt/stormproof/bin:$PATH
USER 10001:10001
ENTRYPOINT ["/opt/stormproof/bin/stormproof"]
CMD ["--help"]
