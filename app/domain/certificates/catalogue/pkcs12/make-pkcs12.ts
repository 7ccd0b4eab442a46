// This module is loaded on a click. It reads a private key in the browser and sends it nowhere.
import * as asn1js from "asn1js";
import {
  Attribute,
  AuthenticatedSafe,
  CertBag,
  Certificate,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeBag,
  SafeContents,
} from "pkijs";

/** A reason, in a sentence for people, why a file cannot be made. */
export class KeyFileError extends Error {
  /** The field that the reason is about. */
  readonly field: "key" | "passphrase";

  constructor(field: "key" | "passphrase", message: string) {
    super(message);
    this.field = field;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

const UNREADABLE = "The file is not a private key that can be read here. Choose the file of the key, in PEM or DER.";
const OLD_ENCRYPTION =
  "The key is encrypted in a way that browsers cannot read. Convert it first: openssl pkey -in old.pem -aes256 -out private.key.pem";
const PASSPHRASE_NEEDED = "The key is encrypted. Enter its passphrase.";
const WRONG_PASSPHRASE = "The passphrase does not open the key.";
const OTHER_KEY = "This key does not belong to the certificate. Choose the file that was made together with its CSR.";

/** PBKDF2 iterations of the key and of the certificates, as OWASP recommends for HMAC-SHA-256. */
const ITERATIONS = 600_000;
/** Iterations of the MAC's key. Each one is a call of WebCrypto, and the MAC protects no more than the passphrase does. */
const MAC_ITERATIONS = 2048;

const OID = {
  rsa: "1.2.840.113549.1.1.1",
  ec: "1.2.840.10045.2.1",
  pbes2: "1.2.840.113549.1.5.13",
  keyBag: "1.2.840.113549.1.12.10.1.2",
  certBag: "1.2.840.113549.1.12.10.1.3",
  friendlyName: "1.2.840.113549.1.9.20",
  localKeyId: "1.2.840.113549.1.9.21",
};

const encryption = () => ({
  // pkijs takes only the name and the length from this, and makes the initialization vector itself.
  contentEncryptionAlgorithm: { name: "AES-CBC", length: 256, iv: new Uint8Array(16) } as const,
  hmacHashAlgorithm: "SHA-256",
  iterationCount: ITERATIONS,
});

const fromBase64 = (text: string): Bytes =>
  Uint8Array.from(atob(text.replace(/\s+/g, "")), (character) => character.charCodeAt(0));

const utf8 = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;

/** Returns the blocks of a PEM text, with their labels. */
const blocksOf = (text: string) =>
  [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g)].map(([, label = "", body = ""]) => ({
    label,
    body,
  }));

/** Wraps a key of PKCS #1 or SEC 1 in a PrivateKeyInfo (RFC 5958 §2). */
function wrapped(algorithm: asn1js.BaseBlock[], key: Bytes): Bytes {
  const info = new asn1js.Sequence({
    value: [
      new asn1js.Integer({ value: 0 }),
      new asn1js.Sequence({ value: algorithm }),
      new asn1js.OctetString({ valueHex: key }),
    ],
  });
  return new Uint8Array(info.toBER());
}

const wrapRsa = (key: Bytes): Bytes =>
  wrapped([new asn1js.ObjectIdentifier({ value: OID.rsa }), new asn1js.Null()], key);

/** The parameters of a key of SEC 1 name its curve (RFC 5915 §3). */
function wrapEc(key: Bytes): Bytes {
  const { result } = asn1js.fromBER(key);
  const parts = result instanceof asn1js.Sequence ? result.valueBlock.value : [];
  const parameters = parts.find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === 0);
  const curve = parameters instanceof asn1js.Constructed ? parameters.valueBlock.value[0] : undefined;
  if (!curve) throw new KeyFileError("key", UNREADABLE);
  return wrapped([new asn1js.ObjectIdentifier({ value: OID.ec }), curve], key);
}

async function decrypted(der: Bytes, passphrase: string): Promise<Bytes> {
  const { result, offset } = asn1js.fromBER(der);
  if (offset === -1) throw new KeyFileError("key", UNREADABLE);
  let bag: PKCS8ShroudedKeyBag;
  try {
    bag = new PKCS8ShroudedKeyBag({ schema: result });
  } catch {
    throw new KeyFileError("key", UNREADABLE);
  }
  if (bag.encryptionAlgorithm.algorithmId !== OID.pbes2) throw new KeyFileError("key", OLD_ENCRYPTION);
  if (passphrase === "") throw new KeyFileError("passphrase", PASSPHRASE_NEEDED);
  try {
    // The types keep this method for the class; it decrypts the key as `parsedValue`.
    await (bag as unknown as { parseInternalValues: (given: object) => Promise<void> }).parseInternalValues({
      password: utf8(passphrase),
    });
  } catch (error) {
    const isForeign = error instanceof Error && /algorithm|unsupported|cipher/i.test(error.message);
    throw isForeign ? new KeyFileError("key", OLD_ENCRYPTION) : new KeyFileError("passphrase", WRONG_PASSPHRASE);
  }
  if (!bag.parsedValue) throw new KeyFileError("passphrase", WRONG_PASSPHRASE);
  return new Uint8Array(bag.parsedValue.toSchema().toBER());
}

/** Returns the PKCS #8 bytes of the key in a file: PKCS #8, encrypted or not, PKCS #1 or SEC 1. Throws a KeyFileError. */
async function readKey(file: Uint8Array, passphrase: string): Promise<Bytes> {
  const text = new TextDecoder("latin1").decode(file);
  const block = blocksOf(text).find(({ label }) => label.endsWith("PRIVATE KEY"));
  if (/Proc-Type:.*ENCRYPTED/.test(text)) throw new KeyFileError("key", OLD_ENCRYPTION);
  if (!block && text.includes("-----BEGIN")) throw new KeyFileError("key", UNREADABLE);
  let der: Bytes;
  try {
    der = block ? fromBase64(block.body) : new Uint8Array(file);
  } catch {
    throw new KeyFileError("key", UNREADABLE);
  }
  if (block?.label === "RSA PRIVATE KEY") return wrapRsa(der);
  if (block?.label === "EC PRIVATE KEY") return wrapEc(der);
  if (block?.label === "PRIVATE KEY") return der;
  const { result } = asn1js.fromBER(der);
  const [first] = result instanceof asn1js.Sequence ? result.valueBlock.value : [];
  if (first instanceof asn1js.Integer) return der;
  if (first instanceof asn1js.Sequence) return decrypted(der, passphrase);
  throw new KeyFileError("key", UNREADABLE);
}

/** What identifies a public key among those of its kind. */
const identityOf = ({ n, e, x, y }: JsonWebKey): string => [n, e, x, y].join(".");

function importAlgorithm(algorithmId: string, parameters: unknown) {
  if (algorithmId === OID.rsa) return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const curve = parameters instanceof asn1js.ObjectIdentifier ? parameters.valueBlock.toString() : "";
  return { name: "ECDSA", namedCurve: curve === "1.3.132.0.34" ? "P-384" : "P-256" };
}

/** Throws a KeyFileError unless the key belongs to the certificate. Returns its PKCS #8 bytes as WebCrypto writes them. */
async function requireOwnKey(key: Bytes, certificate: Certificate): Promise<ArrayBuffer> {
  const { algorithm } = certificate.subjectPublicKeyInfo;
  const spki = certificate.subjectPublicKeyInfo.toSchema().toBER();
  const kind = importAlgorithm(algorithm.algorithmId, algorithm.algorithmParams);
  const expected = await crypto.subtle.exportKey(
    "jwk",
    await crypto.subtle.importKey("spki", spki, kind, true, ["verify"]),
  );
  const info = (() => {
    try {
      return new PrivateKeyInfo({ schema: asn1js.fromBER(key).result });
    } catch {
      throw new KeyFileError("key", UNREADABLE);
    }
  })();
  if (info.privateKeyAlgorithm.algorithmId !== algorithm.algorithmId) throw new KeyFileError("key", OTHER_KEY);
  let own: CryptoKey;
  try {
    own = await crypto.subtle.importKey("pkcs8", key, kind, true, ["sign"]);
  } catch {
    throw new KeyFileError("key", kind.name === "ECDSA" ? OTHER_KEY : UNREADABLE);
  }
  if (identityOf(await crypto.subtle.exportKey("jwk", own)) !== identityOf(expected))
    throw new KeyFileError("key", OTHER_KEY);
  return crypto.subtle.exportKey("pkcs8", own);
}

/** Returns the attributes that programs use to find the key and its certificate: a name and an id that both have. */
const attributes = (name: string, id: ArrayBuffer) =>
  [
    { type: OID.friendlyName, values: [new asn1js.BmpString({ value: name })] },
    { type: OID.localKeyId, values: [new asn1js.OctetString({ valueHex: id })] },
  ] as const;

export interface KeyFileParts {
  /** The chosen file. */
  file: Uint8Array;
  /** The passphrase of the chosen file, or "". */
  keyPassphrase: string;
  /** The passphrase of the new file, in ASCII: programs encode other characters in different ways. */
  passphrase: string;
  /** The certificate and its issuers as PEM, the certificate first. */
  chain: string;
}

/**
 * Returns a PKCS #12 file (RFC 7292) with the key, the certificate and its issuers. Key and certificates are encrypted by PBES2 with
 * AES-256-CBC, and the file has a MAC with HMAC-SHA-256. Throws a KeyFileError when the chosen file cannot be read or has another key.
 */
export async function makePkcs12({ file, keyPassphrase, passphrase, chain }: KeyFileParts): Promise<Bytes> {
  const certificates = blocksOf(chain).map(({ body }) => Certificate.fromBER(fromBase64(body)));
  const [own] = certificates;
  if (!own) throw new Error("There is no certificate.");
  const key = await requireOwnKey(await readKey(file, keyPassphrase), own);
  const id = await crypto.subtle.digest("SHA-1", own.toSchema().toBER());
  const bag = new PKCS8ShroudedKeyBag({ parsedValue: PrivateKeyInfo.fromBER(key) });
  const password = utf8(passphrase);
  await bag.makeInternalValues({ password, ...encryption() });
  const name = "certificate";
  const ownAttributes = () =>
    attributes(name, id).map((attribute) => new Attribute({ ...attribute, values: [...attribute.values] }));
  const keySafe = new SafeContents({
    safeBags: [new SafeBag({ bagId: OID.keyBag, bagValue: bag, bagAttributes: ownAttributes() })],
  });
  const certificateSafe = new SafeContents({
    safeBags: certificates.map(
      (certificate, index) =>
        new SafeBag({
          bagId: OID.certBag,
          bagValue: new CertBag({ parsedValue: certificate }),
          ...(index === 0 && { bagAttributes: ownAttributes() }),
        }),
    ),
  });
  const safe = new AuthenticatedSafe({
    parsedValue: {
      safeContents: [
        { privacyMode: 1, value: certificateSafe },
        { privacyMode: 0, value: keySafe },
      ],
    },
  });
  await safe.makeInternalValues({ safeContents: [{ password, ...encryption() }, {}] });
  const pfx = new PFX({ parsedValue: { integrityMode: 0, authenticatedSafe: safe } });
  await pfx.makeInternalValues({
    password,
    iterations: MAC_ITERATIONS,
    pbkdf2HashAlgorithm: "SHA-256",
    hmacHashAlgorithm: "SHA-256",
  });
  return new Uint8Array(pfx.toSchema().toBER());
}
