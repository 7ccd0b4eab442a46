import * as asn1js from "asn1js";
import { AlgorithmIdentifier } from "pkijs";
import { CaError } from "../errors.server";
import { type SignatureHash } from "../signer.server";

interface SignatureAlgorithm {
  /** The name that OpenSSL uses. */
  name: string;
  keyType: "rsa" | "ec" | "other";
  hash: string | null;
}

/** From RFC 8017 appendix A.2.4, RFC 5758 §3 and RFC 8410. RSASSA-PSS has its hash in the parameters. */
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

/** Reads the AlgorithmIdentifier of a signature. For an unknown algorithm the name is the OID. */
export function readSignatureAlgorithm({ algorithmId }: AlgorithmIdentifier): SignatureAlgorithm {
  return SIGNATURE_ALGORITHMS[algorithmId] ?? { name: algorithmId, keyType: "other", hash: null };
}

const WITH_RSA: Record<SignatureHash, string> = {
  sha256: "1.2.840.113549.1.1.11",
  sha512: "1.2.840.113549.1.1.13",
};

/** Returns the AlgorithmIdentifier of RSASSA-PKCS1-v1_5 with this hash, with the NULL parameters of RFC 4055 §5. */
export function rsaSignatureAlgorithm(hash: SignatureHash): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithmId: WITH_RSA[hash], algorithmParams: new asn1js.Null() });
}

/** Returns the hash of one of this CA's signature algorithms. Throws a CaError `malformed` for any other. */
export function caSignatureHash(identifier: AlgorithmIdentifier): SignatureHash {
  if (identifier.algorithmId === WITH_RSA.sha256) return "sha256";
  if (identifier.algorithmId === WITH_RSA.sha512) return "sha512";
  throw new CaError("malformed", `${readSignatureAlgorithm(identifier).name} is not a signature algorithm of this CA.`);
}
