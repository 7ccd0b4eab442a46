import { readFileSync } from "node:fs";
import { checkCsr, type CsrPolicy } from "~/ca/csr/check.server";
import { readCsr } from "~/ca/csr/read.server";
import { OID } from "~/ca/oids.server";
import { fromPem } from "~/ca/pem.server";
import { altNames, extensionOf, extensionRequest } from "../support/csr";
import { bitString, context, integer, nullValue, objectIdentifier, sequence, set, utf8String } from "../support/der";
import { openssl, type CsrOptions, useOpenssl } from "../support/openssl";

export { altNames, extensionOf, extensionRequest };

const policy: CsrPolicy = {
  keyAlgorithms: ["RSA"],
  countryCodes: new Set(["DE", "FR", "GB"]),
  allowedNames: ["documentation", "private-address"],
};
export const withEc: CsrPolicy = { ...policy, keyAlgorithms: ["RSA", "EC"] };

/** The encoded parts in which a CSR differs from a valid one. */
export interface Forgery {
  version?: Uint8Array;
  subject?: Uint8Array;
  spki?: Uint8Array;
  /** The attributes of the request. They replace the attribute with `names`. */
  attributes?: Uint8Array[];
  /** The subject alternative names that the request asks for. */
  names?: Uint8Array[];
  /** The AlgorithmIdentifier that the CSR states. The signature is always sha256WithRSAEncryption. */
  algorithm?: Uint8Array;
  /** The RSA key that signs, instead of the key of the test file. */
  signer?: string;
}

const attribute = (oid: string, value: Uint8Array) => set(sequence(objectIdentifier(oid), value));

/** Returns a Name (RFC 5280 §4.1.2.4) with these attributes. Adds C, O and CN when they are missing. */
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

/** Returns the SubjectPublicKeyInfo of an RSA key. */
export const rsaSpki = (modulus: bigint, exponent: bigint): Uint8Array =>
  sequence(
    sequence(objectIdentifier(OID.rsaEncryption), nullValue()),
    bitString(sequence(integer(modulus), integer(exponent))),
  );

/** Returns the SubjectPublicKeyInfo of an EC key. `parameters` is the OID of a curve, or encoded parameters. */
export const ecSpki = (parameters: string | Uint8Array, point: Uint8Array): Uint8Array => {
  const encoded = typeof parameters === "string" ? objectIdentifier(parameters) : parameters;
  return sequence(sequence(objectIdentifier(OID.ecPublicKey), encoded), bitString(point));
};

/** Makes CSRs for a test file, with OpenSSL or encoded here and signed by OpenSSL. Call it once at the top of the file. */
export function useForgedCsrs() {
  const files = useOpenssl();
  const { makeCsr, makeKey, makeRsaKey, file } = files;
  const keyFile = makeRsaKey();
  const ownSpki = fromPem("PUBLIC KEY", openssl(["pkey", "-in", keyFile, "-pubout"]));

  /** Returns a CSR that is valid except for the forged parts. Its signature always verifies its bytes. */
  function forge(forgery: Forgery = {}): Uint8Array {
    const { version = integer(0), subject = nameOf(), spki = ownSpki, names = [], signer = keyFile } = forgery;
    const asked = names.length > 0 ? [extensionRequest([altNames(...names)])] : [];
    const info = sequence(version, subject, spki, context(0, ...(forgery.attributes ?? asked)));
    const signature = file("sig");
    openssl(["dgst", "-sha256", "-sign", signer, "-out", signature, file("tbs", info)]);
    const { algorithm = sequence(objectIdentifier("1.2.840.113549.1.1.11"), nullValue()) } = forgery;
    return sequence(info, algorithm, bitString(readFileSync(signature)));
  }

  /** Returns a CSR with these subject attributes. Adds C, O and CN when they are missing. */
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
