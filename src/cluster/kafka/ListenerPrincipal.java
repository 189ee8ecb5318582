import org.apache.kafka.common.security.auth.AuthenticationContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;

/**
 * Tells clients from controllers, which none of them has to prove here: rights of the former can be revoked, without the latter
 * losing theirs ({@code principal.builder.class} and {@code super.users=User:controller}).
 */
public final class ListenerPrincipal extends DefaultKafkaPrincipalBuilder {
    public ListenerPrincipal() {
        super(null, null);
    }

    @Override
    public KafkaPrincipal build(AuthenticationContext context) {
        boolean controller = context.listenerName().equals("CONTROLLER");
        return new KafkaPrincipal(KafkaPrincipal.USER_TYPE, controller ? "controller" : "client");
    }
}
