package dev.stormproof.boot;

import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SslConfigs;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

/**
 * The configuration of an application whose KafkaTemplate signs what it sends: a ProducerFactory in place of Spring Boot's own, with the
 * same settings, a health indicator and meters. A ProducerFactory of the application's own takes precedence.
 */
@AutoConfiguration(before = KafkaAutoConfiguration.class)
@ConditionalOnProperty(name = "stormproof.emitter.enabled", matchIfMissing = true)
@EnableConfigurationProperties({StormproofProperties.class, KafkaProperties.class})
public class StormproofAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Emitters stormproofEmitters() {
        return new Emitters();
    }

    /** Spring Boot's KafkaTemplate takes a factory of any types, if the bean's signature names none. */
    @Bean
    @ConditionalOnMissingBean(ProducerFactory.class)
    DefaultKafkaProducerFactory<?, ?> kafkaProducerFactory(
            KafkaProperties kafka,
            StormproofProperties stormproof,
            KafkaConnectionDetails connection,
            Emitters emitters,
            Environment environment,
            ObjectProvider<DefaultKafkaProducerFactoryCustomizer> customizers) {
        Map<String, Object> settings = kafka.buildProducerProperties();
        connect(settings, connection.getProducer());
        settings.putAll(stormproof.toMap(environment.getProperty("spring.application.name", "")));
        SigningProducers producers = new SigningProducers(settings, emitters);
        String prefix = kafka.getProducer().getTransactionIdPrefix();
        if (prefix != null) {
            producers.setTransactionIdPrefix(prefix);
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(producers));
        return producers;
    }

    private static void connect(Map<String, Object> settings, KafkaConnectionDetails.Configuration connection) {
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, connection.getBootstrapServers());
        SslBundle bundle = connection.getSslBundle();
        if (bundle != null) {
            settings.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class.getName());
            settings.put(SslBundle.class.getName(), bundle);
        }
        String protocol = connection.getSecurityProtocol();
        if (protocol != null && !protocol.isEmpty()) {
            settings.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class HealthOfEmitters {
        @Bean
        @ConditionalOnMissingBean(name = "stormproofHealthIndicator")
        HealthIndicator stormproofHealthIndicator(Emitters emitters) {
            return new EmitterHealth(emitters);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class MetersOfEmitters {
        @Bean
        MeterBinder stormproofMeters(Emitters emitters) {
            return new EmitterMeters(emitters);
        }
    }
}
