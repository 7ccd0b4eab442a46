import { beforeAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { toPem } from "~/ca/pem.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { installTransfer } from "~/domain/authorities/install.service.server";
import { stopRenewals, takeOver } from "~/domain/authorities/life.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { getCertificateData } from "~/domain/certificates/catalogue/certificate-data.service.server";
import { listCertificateRows } from "~/domain/certificates/catalogue/list.service.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { recordCompromise, rehearseCompromise } from "~/domain/certificates/revocation/compromise.service.server";
import { findOriginal } from "~/domain/certificates/succession/original.server";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { listRepository } from "~/domain/repository/repository.service.server";
import { loader as callLoader } from "~/routes/api.$";
import * as detailsRoute from "~/routes/home.certificate-details.$id/route";
import * as listRoute from "~/routes/home.certificates";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { checksDone, createCertificateOrder, issueCertificate, mailsOf, setCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { bytesOf, getFile, usePublishedCrls } from "../support/repository";
import { openPage } from "../support/route-page";
import { installSuccessor, OPERATOR, rootCrlRevoking, transferOf } from "../support/successors";
import { run, signedInAs } from "../support/visitor";
import { useOcsp } from "./ocsp-asking";

usePortal();
usePublishedCrls();
const { makeCsr } = useOpenssl();
const { file, certificateFile, makeRequest, textOf } = useOcsp();

const NEXT = "issuing-sha2-2031";

/** Returns the name of the CA that issued a certificate. */
async function issuerOf({ authorityId }: { authorityId: number | null }): Promise<AuthorityName | undefined> {
  const all = await getDb().selectFrom("authorities").select(["id", "name"]).execute();
  return all.find(({ id }) => id === authorityId)?.name;
}

/** Orders a renewal of a certificate for 0 years, and approves it. */
async function renew(customer: Parameters<typeof createCertificateOrder>[0], previousCertificateId: number) {
  const order = { orderType: "Renewal", previousCertificateId, validityYears: 0, hierarchy: "sha2" } as const;
  return issueCertificate({ customer, order });
}

const statesOf = async () =>
  Object.fromEntries((await listRepository()).certificates.map(({ name, state }) => [name, state]));

const eventsAbout = (reference: string) =>
  getDb().selectFrom("auditEntries").select("event").where("reference", "=", reference).orderBy("id").execute();

/** Expects that the list, the details and the calls say that a certificate of a revoked CA must be renewed, and offer it. */
async function saysThatIssuerIsRevoked(owner: Awaited<ReturnType<typeof createUser>>, id: number): Promise<void> {
  const visitor = await signedInAs(owner);
  const list = pageText((await openPage(listRoute, visitor, "/home/certificates")).html);
  expect(list).toContain("CA revoked");
  const details = await openPage(detailsRoute, visitor, `/home/certificate-details/${id}`, {
    params: { id: String(id) },
  });
  expect(pageText(details.html)).toContain("The CA that issued this certificate, Issuing CA (SHA2) 2031, is revoked.");
  expect(pageText(details.html)).toContain("Renew it now: a renewal for 0 years is free of charge.");
  const session = await findSessionUser({ id: owner.id, epoch: 0 });
  if (!session) throw new Error("no user");
  expect((await getCertificateData(session, id)).isIssuerRevoked).toBe(true);
  const rows = await listCertificateRows(session, { page: 1, size: 10 });
  expect(rows.filter(({ isIssuerRevoked }) => isIssuerRevoked).map((row) => row.id)).toEqual([id]);
}

// The tests tell one story, in this order.
describe("one issuing CA follows another", () => {
  let old: Awaited<ReturnType<typeof issueCertificate>>;
  let customer: Awaited<ReturnType<typeof createUser>>;

  beforeAll(async () => {
    customer = await createUser();
    old = await issueCertificate({ customer });
    await installSuccessor(NEXT);
  });

  test("[CAL-01] a successor is planned: openssl verifies it, it has CRLs and OCSP, and issues nothing", async () => {
    const options = ["-x509_strict", "-CAfile", await certificateFile("root")];
    expect(openssl(["verify", ...options, await certificateFile(NEXT)])).toContain(": OK\n");
    expect(await statesOf()).toMatchObject({
      "issuing-sha2": "Active: it issues certificates",
      [NEXT]: "Planned: it does not issue certificates yet",
    });
    for (const name of [`${NEXT}.crl`, `${NEXT}-delta.crl`]) {
      const crl = file("crl", Buffer.from(await bytesOf(await getFile(name))));
      expect(openssl(["crl", "-inform", "DER", "-in", crl, "-noout", "-CAfile", await certificateFile(NEXT)])).toBe("");
    }
    expect((await ocspResponder()(await makeRequest(["01"], { issuer: NEXT }))).status).toBe("successful");
    expect(await issuerOf(await issueCertificate())).toBe("issuing-sha2");
    expect((await eventsAbout(NEXT)).map(({ event }) => event).slice(0, 2)).toEqual([
      "authority.requested",
      "authority.installed",
    ]);
  });

  test("[CAL-01] [REN-04] it takes over at its time: new orders are its own, renewals keep their issuer", async () => {
    const at = new Date(Date.now() + 60_000);
    expect(await takeOver(NEXT, at, OPERATOR)).toBe("issuing-sha2");
    expect((await statesOf())[NEXT]).toMatch(/^Planned: it issues certificates from .* UTC$/);
    expect(await issuerOf(await issueCertificate())).toBe("issuing-sha2");
    const later = new Date(at.getTime() + 1000);
    const fresh = await issueCertificate({ now: later });
    expect(await issuerOf(fresh)).toBe(NEXT);
    const chain = ["-CAfile", await certificateFile("root"), "-untrusted", await certificateFile(NEXT)];
    const leaf = file("pem", toPem("CERTIFICATE", fresh.der));
    expect(openssl(["verify", "-no_check_time", ...chain, leaf])).toContain(": OK\n");
    expect(describeCertificate(fresh.der).crlUrls).toEqual([
      expect.stringMatching(/\/repository\/issuing-sha2-2031\.crl$/),
    ]);
    const terms = (await findOriginal(getDb(), old.id, later))?.terms ?? [];
    expect(terms.map(({ isIssuerKept }) => isIssuerKept)).toEqual([true, true, true, true, true]);
    expect(await takeOver(NEXT, new Date(), OPERATOR)).toBe("issuing-sha2"); // a planned date can be brought forward
    expect(await statesOf()).toMatchObject({
      "issuing-sha2": "Renewals only: it renews and replaces certificates that it has issued",
      [NEXT]: "Active: it issues certificates",
    });
    expect(await issuerOf(await renew(customer, old.id))).toBe("issuing-sha2");
  });

  test("[API-03] the documented calls give the files of the one that issues, and of each by its thumbprint", async () => {
    const call = async (name: string) => {
      const request = new Request(`http://portal.test/api/CertificateRepository/${name}`);
      const answer = await run(callLoader, request, { "*": `CertificateRepository/${name}` });
      return [answer.status, answer.headers.get("Content-Disposition")?.match(/filename="([^"]+)"/)?.[1]];
    };
    const former = describeCertificate((await getAuthority(getDb(), "issuing-sha2")).certificate).thumbprintSha256;
    expect(await call("DownloadIssuingCertSha2Der")).toEqual([200, `${NEXT}.cer`]);
    expect(await call(`DownloadIssuingCertSha2Pem/${former}`)).toEqual([200, "issuing-sha2.pem"]);
    expect(await call("DownloadCertRevListIssuingSha2")).toEqual([200, `${NEXT}.crl`]);
    expect(await call(`DownloadCertRevListIssuingSha2/${former}`)).toEqual([200, "issuing-sha2.crl"]);
    expect(await call(`DownloadCertRevListIssuingCaDeltaSha2/${former}`)).toEqual([200, "issuing-sha2-delta.crl"]);
    expect((await call(`DownloadIssuingCertSha512Der/${former}`))[0]).toBe(404);
  });

  test("[REN-04] after its renewals have ended, its successor renews, and its own CRLs go on", async () => {
    const owner = await createUser();
    const certificate = await issueCertificate({ customer: owner });
    await setCertificate(certificate.id, { authorityId: (await getAuthority(getDb(), "issuing-sha2")).id });
    await stopRenewals("issuing-sha2", new Date(), OPERATOR);
    expect((await statesOf())["issuing-sha2"]).toBe("Revocations only: it issues no certificates");
    const terms = (await findOriginal(getDb(), certificate.id, new Date()))?.terms ?? [];
    expect(terms.map(({ isIssuerKept, issuer }) => [isIssuerKept, issuer])[0]).toEqual([
      false,
      "Issuing CA (SHA2) 2031",
    ]);
    expect(await issuerOf(await renew(owner, certificate.id))).toBe(NEXT);
    const before = (await getAuthority(getDb(), "issuing-sha2")).crlNumber;
    await publishCrls("issuing-sha2");
    expect((await getAuthority(getDb(), "issuing-sha2")).crlNumber).toBe(before + 1);
    await getDb().updateTable("authorities").set({ renewalsUntil: null }).where("name", "=", "issuing-sha2").execute();
  });

  test("[CAL-04] a compromise is rehearsed without a change, then stops the CA, and the one before issues again", async () => {
    const owner = await createUser();
    const hit = await issueCertificate({ customer: owner });
    expect(await issuerOf(hit)).toBe(NEXT);
    const stopped = await createCertificateOrder(owner, makeCsr().pem, checksDone());
    const hits: string[] = [];
    const rehearsed = await rehearseCompromise(NEXT, ({ serialNumber, to }) => hits.push(`${serialNumber} ${to}`));
    expect(rehearsed).toMatchObject({ name: NEXT, revokedAt: null, replacement: "issuing-sha2" });
    expect(hits).toContain(`${hit.serialNumber} ${owner.email}`);
    expect((await getAuthority(getDb(), NEXT)).revokedAt).toBeNull();

    // An approval has recorded what is to be signed when the compromise is recorded.
    const admin = await createAdmin();
    const user = await findSessionUser({ id: admin.id, epoch: 0 });
    if (!user) throw new Error("no user");
    const signer = await getSigner(NEXT);
    let count = 0;
    setSigner(NEXT, {
      hash: signer.hash,
      sign: async (tbs) => {
        count = (await recordCompromise(NEXT, OPERATOR)).hits;
        return signer.sign(tbs);
      },
    });
    const refusal: unknown = await approveOrder(stopped.id, user).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "certificate.not-pending" });
    setSigner(NEXT, signer);
    await finishInterruptedIssuing().catch(() => undefined); // says that it has undone the issuing
    const undone = await getDb()
      .selectFrom("certificates")
      .select(["status", "der", "authorityId"])
      .where("id", "=", stopped.id)
      .executeTakeFirstOrThrow();
    expect(undone).toEqual({ status: "Pending", der: null, authorityId: null });

    expect(count).toBe(hits.length);
    expect((await statesOf())[NEXT]).toMatch(/^Revoked on /);
    const mails = (await mailsOf(hit.orderId)).filter(({ dedupeKey }) => dedupeKey.startsWith("issuer-revoked:"));
    expect(mails.map(({ recipient }) => recipient)).toEqual([owner.email]);
    expect(mails[0]?.text).toContain("A renewal for 0 years is free of charge");
    await recordCompromise(NEXT, OPERATOR); // after an interruption
    expect(
      (await mailsOf(hit.orderId)).filter(({ dedupeKey }) => dedupeKey.startsWith("issuer-revoked:")),
    ).toHaveLength(1);
    expect((await eventsAbout(NEXT)).filter(({ event }) => event === "authority.compromised")).toHaveLength(1);
    await saysThatIssuerIsRevoked(owner, hit.id);
    expect(await issuerOf(await renew(owner, hit.id))).toBe("issuing-sha2");
  });

  test("[CAL-03] the root's CRL that revokes it is installed once, and openssl refuses its chain then", async () => {
    await getDb().updateTable("authorities").set({ revokedAt: null }).where("name", "=", NEXT).execute();
    const pem = await rootCrlRevoking(NEXT);
    const transfer = transferOf({ crls: [{ issuer: "root", pem }] });
    expect(await installTransfer(transfer, OPERATOR)).toMatchObject({ revoked: [NEXT], authorities: [] });
    expect((await getAuthority(getDb(), NEXT)).revokedAt).not.toBeNull();
    expect(await installTransfer(transfer, OPERATOR)).toMatchObject({ lists: [], revoked: [] });
    const verify = [
      ...["verify", "-crl_check", "-CAfile", await certificateFile("root"), "-CRLfile", file("crl", pem)],
      await certificateFile(NEXT),
    ];
    expect(() => openssl(verify)).toThrow(/certificate revoked/);
    expect(textOf((await ocspResponder()(await makeRequest(["01"], { issuer: NEXT }))).der)).toContain("successful");
  });
});
