import { readFileSync } from "node:fs";
import { checkCsr, type CsrPolicy } from "~/ca/csr/check.server";
import { readCsr } from "~/ca/csr/read.server";
import { OID } from "~/ca/oids.server";
import { fromPem } from "~/ca/pem.server";
import { altNames, extensionOf, extensionRequest } from "../support/csr";
import { bitString, context, integer, nullValue, objectIdentifier, sequence, set, utf8String } from "../support/der";
import { openssl, type CsrOptions, useOpenssl } from "../support/openssl";

export { altNames, extensionOf, extensionRequest };

const policy: CsrPolicy = { keyAlgorithms: ["RSA"], countryCodes: new Set(["DE", "FR", "GB"]) };
export const withEc: CsrPolicy = { ...policy, keyAlgorithms: ["RSA", "EC"] };

/** Encoded parts of a CSR that differ from a sound one. */
export interface Forgery {
  version?: Uint8Array;
  subject?: Uint8Array;
  spki?: Uint8Array;
  /** Attributes of the request, which replace that of `names`. */
  attributes?: Uint8Array[];
  /** Subject alternative names that the request asks for. */
  names?: Uint8Array[];
  /** AlgorithmIdentifier that the CSR claims; the signature is sha256WithRSAEncryption whatever it says. */
  algorithm?: Uint8Array;
  /** The RSA key that signs, instead of the file's own. */
  signer?: string;
}

const attribute = (oid: string, value: Uint8Array) => set(sequence(objectIdentifier(oid), value));

/** A Name (RFC 5280 §4.1.2.4) of these attributes; C, O and CN are added where missing. */
export function nameOf(...attributes: { oid: string; value: string | Uint8Array }[]): Uint8Array {
  const given = new Set(attributes.map(({ oid }) => oid));
  const needed = [
    { oid: OID.countryName, value: "DE" },
    { oid: OID.organizationName, value: "Acme" },
    { oid: OID.commonName, value: "Acme" },
  ].filter(({ oid }) => !given.has(oid));
  const encoded = (value: string | Uint8Array) => (typeof value === "string" ? utf8String(value) : value);
  return sequence(...[...needed, ...attributes].map(({ oid, value }) => attribute(oid, encoded(value))));
}

/** A SubjectPublicKeyInfo of an RSA key. */
export const rsaSpki = (modulus: bigint, exponent: bigint): Uint8Array =>
  sequence(
    sequence(objectIdentifier(OID.rsaEncryption), nullValue()),
    bitString(sequence(integer(modulus), integer(exponent))),
  );

/** A SubjectPublicKeyInfo of an EC key; `parameters` is a curve's identifier, or encoded. */
export const ecSpki = (parameters: string | Uint8Array, point: Uint8Array): Uint8Array => {
  const encoded = typeof parameters === "string" ? objectIdentifier(parameters) : parameters;
  return sequence(sequence(objectIdentifier(OID.ecPublicKey), encoded), bitString(point));
};

/** CSRs for one test file, made by openssl or encoded here and signed by openssl. Call it once at the top of the file. */
export function useForgedCsrs() {
  const files = useOpenssl();
  const { makeCsr, makeKey, makeRsaKey, file } = files;
  const keyFile = makeRsaKey();
  const ownSpki = fromPem("PUBLIC KEY", openssl(["pkey", "-in", keyFile, "-pubout"]));

  /** A sound CSR but for what is forged; the signature is always that of its bytes. */
  function forge(forgery: Forgery = {}): Uint8Array {
    const { version = integer(0), subject = nameOf(), spki = ownSpki, names = [], signer = keyFile } = forgery;
    const asked = names.length > 0 ? [extensionRequest([altNames(...names)])] : [];
    const info = sequence(version, subject, spki, context(0, ...(forgery.attributes ?? asked)));
    const signature = file("sig");
    openssl(["dgst", "-sha256", "-sign", signer, "-out", signature, file("tbs", info)]);
    const { algorithm = sequence(objectIdentifier("1.2.840.113549.1.1.11"), nullValue()) } = forgery;
    return sequence(info, algorithm, bitString(readFileSync(signature)));
  }

  /** A CSR with these subject attributes; C, O and CN are added where missing. */
  const signed = (attributes: { oid: string; value: string }[], forgery: Forgery = {}): Uint8Array =>
    forge({ subject: nameOf(...attributes), ...forgery });

  function refusals(der: Uint8Array, rules: CsrPolicy = policy) {
    const result = readCsr(der);
    if (!result.ok) throw new Error(result.message);
    return checkCsr(result.csr, rules);
  }
  const codes = (der: Uint8Array, rules?: CsrPolicy): string[] => refusals(der, rules).map(({ code }) => code);
  const codesOf = (options: CsrOptions, rules?: CsrPolicy): string[] => codes(makeCsr(options).der, rules);
  const curve = (name: string): string => makeKey("-algorithm", "EC", "-pkeyopt", `ec_paramgen_curve:${name}`);

  return { ...files, keyFile, forge, signed, refusals, codes, codesOf, curve };
}
