import * as asn1js from "asn1js";
import { AlgorithmIdentifier } from "pkijs";
import { CaError } from "../errors.server";
import { type SignatureHash } from "../signer.server";

interface SignatureAlgorithm {
  /** Name as OpenSSL writes it. */
  name: string;
  keyType: "rsa" | "ec" | "other";
  hash: string | null;
}

/** RFC 8017 appendix A.2.4, RFC 5758 §3, RFC 8410. RSASSA-PSS carries its hash in parameters. */
const SIGNATURE_ALGORITHMS: Partial<Record<string, SignatureAlgorithm>> = {
  "1.2.840.113549.1.1.4": { name: "md5WithRSAEncryption", keyType: "rsa", hash: "md5" },
  "1.2.840.113549.1.1.5": { name: "sha1WithRSAEncryption", keyType: "rsa", hash: "sha1" },
  "1.2.840.113549.1.1.10": { name: "rsassaPss", keyType: "rsa", hash: null },
  "1.2.840.113549.1.1.11": { name: "sha256WithRSAEncryption", keyType: "rsa", hash: "sha256" },
  "1.2.840.113549.1.1.12": { name: "sha384WithRSAEncryption", keyType: "rsa", hash: "sha384" },
  "1.2.840.113549.1.1.13": { name: "sha512WithRSAEncryption", keyType: "rsa", hash: "sha512" },
  "1.2.840.113549.1.1.14": { name: "sha224WithRSAEncryption", keyType: "rsa", hash: "sha224" },
  "1.2.840.10045.4.1": { name: "ecdsa-with-SHA1", keyType: "ec", hash: "sha1" },
  "1.2.840.10045.4.3.1": { name: "ecdsa-with-SHA224", keyType: "ec", hash: "sha224" },
  "1.2.840.10045.4.3.2": { name: "ecdsa-with-SHA256", keyType: "ec", hash: "sha256" },
  "1.2.840.10045.4.3.3": { name: "ecdsa-with-SHA384", keyType: "ec", hash: "sha384" },
  "1.2.840.10045.4.3.4": { name: "ecdsa-with-SHA512", keyType: "ec", hash: "sha512" },
  "1.3.101.112": { name: "ED25519", keyType: "other", hash: null },
  "1.3.101.113": { name: "ED448", keyType: "other", hash: null },
};

/** What an AlgorithmIdentifier of a signature says; an unknown one has its OID as name. */
export function readSignatureAlgorithm({ algorithmId }: AlgorithmIdentifier): SignatureAlgorithm {
  return SIGNATURE_ALGORITHMS[algorithmId] ?? { name: algorithmId, keyType: "other", hash: null };
}

const WITH_RSA: Record<SignatureHash, string> = {
  sha256: "1.2.840.113549.1.1.11",
  sha512: "1.2.840.113549.1.1.13",
};

/** AlgorithmIdentifier of RSASSA-PKCS1-v1_5 with this hash (RFC 4055 §5: the NULL stays). */
export function rsaSignatureAlgorithm(hash: SignatureHash): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithmId: WITH_RSA[hash], algorithmParams: new asn1js.Null() });
}

/** The hash of one of our own signature algorithms. Throws CaError `malformed` for any other. */
export function caSignatureHash(identifier: AlgorithmIdentifier): SignatureHash {
  if (identifier.algorithmId === WITH_RSA.sha256) return "sha256";
  if (identifier.algorithmId === WITH_RSA.sha512) return "sha512";
  throw new CaError("malformed", `${readSignatureAlgorithm(identifier).name} is not a signature algorithm of this CA.`);
}
