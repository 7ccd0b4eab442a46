import { encodeCsrOutline } from "~/ca/csr/outline.server";
import { signCsr } from "~/domain/certificates/request/preparation/make-csr";
import { type DemoCompany, emailOf } from "./companies";

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

const base64 = (der: Uint8Array) => Buffer.from(der).toString("base64");

/** Returns a CSR of this company for a host, with a new key that is not stored. */
export async function makeCsr(company: DemoCompany, host: string, ssid: string): Promise<string> {
  const { subject, attributes } = encodeCsrOutline(
    {
      country: company.iso,
      locality: company.city,
      organisation: company.company,
      organisationUnit: "EDI",
      commonName: host,
      email: emailOf("edi", company),
    },
    [
      { type: "dns", value: host },
      { type: "ssid", value: ssid },
    ],
  );
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  return signCsr(pair, { subject: base64(subject), attributes: base64(attributes) });
}
