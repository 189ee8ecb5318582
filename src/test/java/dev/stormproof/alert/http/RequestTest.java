package dev.stormproof.alert.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import org.junit.jupiter.api.Test;

class RequestTest {
    @Test
    void pathAndParametersAreDecoded() {
        Headers headers = new Headers();
        headers.add("COOKIE", "a=1");
        headers.add("cookie", "b=2");
        Request request = new Request(URI.create("/a%20page?key=%C3%A9%26x&other=&key=y&none"), headers);

        assertThat(request.path()).isEqualTo("/a page");
        assertThat(request.parameter("key")).contains("é&x");
        assertThat(request.parameter("other")).contains("");
        assertThat(request.parameter("ke")).isEmpty();
        assertThat(request.parameter("none")).isEmpty();
        assertThat(request.headers("Cookie")).containsExactly("a=1", "b=2");
        assertThat(request.headers("Host")).isEmpty();
        assertThat(new Request(URI.create("/"), headers).parameter("key")).isEmpty();
        assertThat(new Request(URI.create("mailto:a"), headers).path()).isEmpty();
    }
}
