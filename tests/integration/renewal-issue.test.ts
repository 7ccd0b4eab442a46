import { beforeAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { toPem } from "~/ca/pem.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { findIssuer, findRoot } from "~/domain/authorities/authorities.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { readCertificateFile } from "~/domain/certificates/catalogue/download.service.server";
import { expireCertificates } from "~/domain/certificates/catalogue/expiry.service.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { revokeCertificate } from "~/domain/certificates/revocation/revocation.service.server";
import { addDays, addYears } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  type IssuedCertificate,
  issueCertificate,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf } from "../support/visitor";
import { newRenewer, pressRenew } from "./renewal-journey";

usePortal();
const { file, makeCsr } = useOpenssl();

const SUBJECT = "/C=DE/ST=Bayern/L=München/O=Müller GmbH/OU=EDI/CN=oftp.acme.example/emailAddress=edi@acme.example";
const SAN = ["DNS:b.acme.example", "IP:192.0.2.7", "email:edi@acme.example", "URI:https://acme.example/"];
/** Returns the CSR of a certificate that will be renewed. It has a new key each time, because a key belongs to one account. */
const oldCsr = () => makeCsr({ subject: SUBJECT, san: SAN }).der;
/** Returns a CSR for the renewal. It has the same details in other letters, and fewer of them. */
const newCsr = () =>
  makeCsr({ subject: "/C=DE/L=MÜNCHEN/O=müller gmbh/CN=OFTP.acme.example", san: ["DNS:b.acme.example"] });

let staff: SessionUser;
beforeAll(async () => {
  const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  staff = user;
});

/** Returns a certificate, and the order of its renewal with all checks done. */
async function ordered(validityPeriod = "2", days = 100, given = {}, csr = newCsr()) {
  const { original, renewer, user } = await newRenewer(
    oldCsr(),
    { ssid: "O0177ABCD", isManualSsid: true, ...given },
    days,
  );
  await renewer.upToInvoice(csr.pem, { validityPeriod });
  expect((await renewer.invoice()).status).toBe(303);
  const { id } = await getDb()
    .selectFrom("certificates")
    .select("id")
    .where("previousCertificateId", "=", original.id)
    .executeTakeFirstOrThrow();
  await setCertificate(id, checksDone());
  const sessionUser = await findSessionUser({ id: user.id, epoch: 0 });
  if (!sessionUser) throw new Error("no owner");
  return { original, id, owner: sessionUser, renewer };
}

async function issued(id: number, now?: Date): Promise<IssuedCertificate> {
  const row = await approveOrder(id, staff, now);
  if (!row.der || !row.serialNumber) throw new Error("not issued");
  return { ...row, der: row.der, serialNumber: row.serialNumber };
}

const statusOf = async ({ id }: { id: number }) => (await readCertificate(id)).status;
const extension = (der: Uint8Array, ...names: string[]) =>
  openssl(["x509", "-inform", "DER", "-noout", "-ext", names.join(",")], der);

describe("[REN-04] the renewed certificate", () => {
  test("[REN-04] [CAL-02] is verified by openssl; issuer, subject, key usage and names equal the predecessor's to the byte", async () => {
    const { original, id } = await ordered();
    const successor = await issued(id);
    const [root, issuing] = [await findRoot(getDb(), "sha2"), await findIssuer(getDb(), "sha2")];
    const leaf = file("pem", toPem("CERTIFICATE", successor.der));
    const rootFile = file("pem", toPem("CERTIFICATE", root?.certificate ?? Buffer.alloc(0)));
    const chain = file("pem", toPem("CERTIFICATE", issuing?.certificate ?? Buffer.alloc(0)));
    expect(openssl(["verify", "-x509_strict", "-CAfile", rootFile, "-untrusted", chain, leaf])).toBe(`${leaf}: OK\n`);

    const [before, after] = [parseCertificate(original.der), parseCertificate(successor.der)];
    expect(after.subject.der).toEqual(before.subject.der);
    expect(after.issuer.der).toEqual(before.issuer.der);
    const values = (certificate: typeof before, oid: string) =>
      certificate.extensions.filter((one) => one.oid === oid).map(({ value }) => value);
    // keyUsage, extKeyUsage, subjectAltName, basicConstraints, authorityKeyIdentifier
    for (const oid of ["2.5.29.15", "2.5.29.37", "2.5.29.17", "2.5.29.19", "2.5.29.35"]) {
      expect(values(before, oid)).toHaveLength(1);
      expect(values(after, oid)).toEqual(values(before, oid));
    }
    expect(extension(successor.der, "keyUsage", "extendedKeyUsage", "subjectAltName")).toBe(
      extension(original.der, "keyUsage", "extendedKeyUsage", "subjectAltName"),
    );
    const key = ["x509", "-inform", "DER", "-noout", "-pubkey"];
    expect(openssl(key, successor.der)).not.toBe(openssl(key, original.der));
    expect(successor.serialNumber).not.toBe(original.serialNumber);
  });

  test("[REN-03] [REN-04] is issued whatever blanks are in the names of the new CSR", async () => {
    const subject = "/C=DE/L=München /O=  Müller \u00a0 GmbH /CN= oftp.acme.example ";
    const { original, id } = await ordered("2", 100, {}, makeCsr({ subject, san: ["DNS:b.acme.example"] }));
    const { der, organisation, commonName } = await issued(id);
    expect([organisation, commonName]).toEqual(["Müller GmbH", "oftp.acme.example"]);
    expect(parseCertificate(der).subject.der).toEqual(parseCertificate(original.der).subject.der);
  });

  test("[REN-04] has the subject to the byte as another software encoded it", async () => {
    const { original, id } = await ordered();
    // The common name as a PrintableString, which this CA does not write. It has the same length and another tag.
    const subject = parseCertificate(original.der).subject.der;
    const place = original.der.indexOf(Buffer.from("oftp.acme.example"), original.der.indexOf(Buffer.from(subject)));
    const foreign = Buffer.from(original.der);
    foreign[place - 2] = 0x13;
    await setCertificate(original.id, { der: foreign });
    const successor = await issued(id);
    const taken = parseCertificate(successor.der).subject.der;
    expect(taken).toEqual(parseCertificate(foreign).subject.der);
    expect(taken).not.toEqual(subject);
  });

  test.each([
    ["2", 2],
    ["0", 0],
    ["4", 4],
  ])("[REN-04] for %s years ends that many years after the old one and begins now", async (validityPeriod, years) => {
    const { original, id } = await ordered(validityPeriod);
    const now = new Date();
    const { der, expiryDate, startDate } = await issued(id, now);
    const certificate = describeCertificate(der);
    expect(certificate.endDate).toBe(addYears(new Date(original.expiryDate ?? ""), years).toISOString());
    expect(Date.parse(certificate.startDate)).toBe(Math.floor((now.getTime() - 5 * 60_000) / 1000) * 1000);
    expect([startDate, expiryDate]).toEqual([certificate.startDate, certificate.endDate]);
  });

  test("[REN-04] of an ended one ends that many years after the approval", async () => {
    const { id, original } = await ordered("1", -30, {});
    const now = new Date("2030-01-31T10:20:30.400Z");
    expect(Date.parse(original.expiryDate ?? "")).toBeLessThan(now.getTime());
    expect(describeCertificate((await issued(id, now)).der).endDate).toBe("2031-01-31T10:20:30.000Z");
  });

  test("[REN-04] handles 29 February", async () => {
    const { original, id } = await ordered("1");
    await setCertificate(original.id, { expiryDate: new Date("2028-02-29T12:00:00Z") });
    expect(describeCertificate((await issued(id, new Date("2028-01-01T00:00:00Z"))).der).endDate).toBe(
      "2029-02-28T12:00:00.000Z",
    );
  });
});

describe("[REN-04] the certificate that was renewed", () => {
  test.each(["Issued", "Downloaded", "Expired"] as const)(
    "[REN-04] [AUD-02] from %s becomes Renewed when its successor is issued, not before",
    async (status) => {
      const { original, id } = await ordered();
      await setCertificate(original.id, { status });
      expect(await statusOf(original)).toBe(status);
      await issued(id);
      expect(await statusOf(original)).toBe("Renewed");
      expect(await readCertificate(id)).toMatchObject({
        status: "Issued",
        orderType: "Renewal",
        previousCertificateId: original.id,
      });
      expect((await auditEventsOf(original.id)).slice(-1)).toEqual(["certificate.renewed"]);
      expect((await auditEventsOf(id)).slice(-2)).toEqual(["certificate.approved", "certificate.issued"]);
    },
  );

  test("[CER-09] can still be downloaded and revoked, and does not become Expired", async () => {
    const { original, id, owner } = await ordered();
    await issued(id);
    const choice = { certificateType: "own", encoding: "DER", fileExtension: "DER" } as const;
    expect((await readCertificateFile(owner, original.id, choice))?.bytes).toEqual(original.der);
    expect(await statusOf(original)).toBe("Renewed");
    await expireCertificates(addDays(new Date(original.expiryDate ?? ""), 1));
    expect(await statusOf(original)).toBe("Renewed");
    const revocation = {
      certificateId: original.id,
      user: owner,
      reason: 4 as const,
      description: "",
      date: new Date(),
    };
    await revokeCertificate(revocation);
    expect(await statusOf(original)).toBe("Revoked");
  });

  test("[CER-09] can be renewed again only after its successor was revoked", async () => {
    const { original, id, owner, renewer } = await ordered();
    const successor = await issued(id);
    const { errors } = await errorsOf(await pressRenew(renewer.visitor, original.id));
    expect(errors.id).toBe("The certificate has been renewed already.");
    const revocation = { user: owner, reason: 4 as const, description: "", date: new Date() };
    await revokeCertificate({ ...revocation, certificateId: successor.id });
    expect((await pressRenew(renewer.visitor, original.id)).headers.get("Location")).toMatch(/renew\/contact-details/);
  });

  test("[MAI-01] is named in the owner's mail, with what partners need", async () => {
    const { original, id } = await ordered();
    const { orderId } = await issued(id);
    const text = (await mailsOf(orderId)).at(-1)?.text ?? "";
    const flat = text.replace(/\s+/g, " ");
    expect(flat).toContain("Your renewed certificate is ready.");
    expect(flat).toContain("subject, issuer and key usage are those of your previous certificate");
    expect(flat).toContain("How to install");
    const serial = original.serialNumber.match(/../g)?.join(":") ?? "";
    expect(flat).toContain(`Previous serial number: ${serial}`);
    expect(flat).toMatch(/Previous certificate ends: \d\d\/\d\d\/\d{4}/);
  });
});

describe("[REN-04] [MAN-03] what happens between order and approval", () => {
  test.each(["Revoked", "RequestRevoke"] as const)("[MAN-03] %s: it cannot be approved", async (status) => {
    const { original, id } = await ordered();
    await setCertificate(original.id, { status });
    await expect(issued(id)).rejects.toThrow(`Certificate ${original.id}, which this order renews, is ${status}`);
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });

  test("[MAN-03] 0 years of an ended certificate cannot be approved, to the millisecond", async () => {
    const { original, id } = await ordered("0");
    const end = new Date(original.expiryDate ?? "");
    await expect(issued(id, end)).rejects.toThrow("a renewal for 0 years with it: reject the order.");
    const { expiryDate } = await issued(id, new Date(end.getTime() - 1));
    expect(expiryDate).toBe(original.expiryDate);
  });

  test("[CAL-04] a certificate revoked while its successor is being signed stays revoked, and the successor is issued", async () => {
    const { original, id, owner } = await ordered();
    const real = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", { hash: real.hash, sign: () => Promise.reject(new Error("the key store is away")) });
    try {
      await expect(issued(id)).rejects.toThrow("the key store is away");
    } finally {
      setSigner("issuing-sha2", null);
    }
    const revocation = { user: owner, reason: 4 as const, description: "", date: new Date() };
    await revokeCertificate({ ...revocation, certificateId: original.id });
    expect(await finishInterruptedIssuing()).toBe(1);
    expect([await statusOf({ id }), await statusOf(original)]).toEqual(["Issued", "Revoked"]);
  });

  test("[CAL-04] two approvals at once make one successor and one change to Renewed", async () => {
    const { original, id } = await ordered();
    const answers = await Promise.allSettled([issued(id), issued(id)]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const events = await auditEventsOf(original.id);
    expect(events.filter((event) => event === "certificate.renewed")).toHaveLength(1);
  });

  test("[REN-04] a replacement by staff also takes the subject over, and the original stays unchanged", async () => {
    const first = await issueCertificate({ csr: oldCsr() });
    const { id } = await createCertificateOrder(
      { id: first.userId, email: "x@example.com", company: "x" },
      makeCsr({ subject: "/C=DE/O=Other/CN=other.example" }).der,
      { ...checksDone(), previousCertificateId: first.id },
    );
    expect(describeCertificate((await issued(id)).der).subject.commonName).toBe("oftp.acme.example");
    expect(await statusOf(first)).toBe("Issued");
  });
});
