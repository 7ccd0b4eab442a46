import { describeCertificate } from "~/ca/certificate/describe.server";
import { serialHex } from "~/ca/certificate/encode.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { getDb } from "~db/connection.server";
import { findAcmeCertificateById, findAcmeCertificateBySerial } from "~db/repositories/acme-orders.server";

/** The longest serial number has 20 octets (RFC 5280 §4.1.2.2). */
const IDENTIFIER = /^([\w-]{1,60})\.([\w-]{1,28})$/;

/**
 * Finds a certificate by its identifier: the key identifier of its issuer and its serial number, each as base64url (RFC 9773 §4.1). Returns
 * null for text that is no identifier of a certificate of this CA.
 */
export async function findNamedCertificate(identifier: string) {
  const [, issuer, serial] = IDENTIFIER.exec(identifier) ?? [];
  if (issuer === undefined || serial === undefined) return null;
  const keyIdentifier = Buffer.from(issuer, "base64url").toString("hex");
  const authority = (await listAuthorities(getDb())).find(
    ({ certificate }) => describeCertificate(certificate).subjectKeyIdentifier?.toLowerCase() === keyIdentifier,
  );
  const number = Buffer.from(serial, "base64url").toString("hex");
  if (!authority || number === "") return null;
  const found = await findAcmeCertificateBySerial(getDb(), serialHex(BigInt(`0x${number}`)));
  return found?.authorityId === authority.id ? found : null;
}

/** Returns the identifier of a certificate as `findNamedCertificate` reads it. Throws an Error for one that was never issued. */
export async function identifierOfCertificate(id: number): Promise<string> {
  const certificate = await findAcmeCertificateById(getDb(), id);
  const issuer = (await listAuthorities(getDb())).find((authority) => authority.id === certificate?.authorityId);
  const keyIdentifier = issuer && describeCertificate(issuer.certificate).subjectKeyIdentifier;
  if (!certificate?.serialNumber || !keyIdentifier) throw new Error(`Certificate ${id} has no identifier.`);
  const serial = Buffer.from(certificate.serialNumber, "hex");
  const isNegative = (serial[0] ?? 0) > 127; // a DER INTEGER has a zero before its highest bit
  const integer = isNegative ? Buffer.concat([Buffer.of(0), serial]) : serial;
  return `${Buffer.from(keyIdentifier, "hex").toString("base64url")}.${integer.toString("base64url")}`;
}
