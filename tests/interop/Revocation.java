import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CRL;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateRevokedException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Validates a certificate as Java does (PKIX), each with the information asked for and no other.
 * java Revocation.java crl|ocsp ROOT ISSUING LEAF [CRL ...] prints 'valid', 'revoked: REASON' or 'refused: why'.
 * crl: lists are fetched from where the certificates say, unless files are given. ocsp: of the leaf alone.
 */
public class Revocation {
  private static final CertificateFactory FACTORY;

  static {
    try {
      FACTORY = CertificateFactory.getInstance("X.509");
    } catch (Exception error) {
      throw new ExceptionInInitializerError(error);
    }
  }

  private static X509Certificate certificate(String file) throws Exception {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      return (X509Certificate) FACTORY.generateCertificate(in);
    }
  }

  private static CertStore lists(List<String> files) throws Exception {
    List<CRL> crls = new ArrayList<>();
    for (String file : files) {
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        crls.add(FACTORY.generateCRL(in));
      }
    }
    return CertStore.getInstance("Collection", new CollectionCertStoreParameters(crls));
  }

  private static void validate(List<String> args) throws Exception {
    boolean byOcsp = args.get(0).equals("ocsp");
    List<String> files = args.subList(4, args.size());
    CertPath path = FACTORY.generateCertPath(List.of(certificate(args.get(3)), certificate(args.get(2))));
    CertPathValidator validator = CertPathValidator.getInstance("PKIX");
    PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
    checker.setOptions(
        byOcsp
            ? EnumSet.of(Option.NO_FALLBACK, Option.ONLY_END_ENTITY)
            : EnumSet.of(Option.PREFER_CRLS, Option.NO_FALLBACK));
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(certificate(args.get(1)), null)));
    if (!files.isEmpty()) parameters.addCertStore(lists(files));
    parameters.addCertPathChecker(checker);
    validator.validate(path, parameters);
  }

  public static void main(String[] args) throws Exception {
    try {
      validate(List.of(args));
      System.out.println("valid");
    } catch (CertPathValidatorException error) {
      boolean isRevoked = error.getCause() instanceof CertificateRevokedException;
      System.out.println(
          isRevoked
              ? "revoked: " + ((CertificateRevokedException) error.getCause()).getRevocationReason()
              : "refused: " + error.getMessage());
    }
  }
}
