import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { fromPem, toPem } from "~/ca/pem.server";
import { getAuthority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { changePassphrase } from "~/domain/authorities/change-passphrase.service.server";
import { listInstallNotices } from "~/domain/authorities/install-notices.server";
import { installTransfer } from "~/domain/authorities/install.service.server";
import { authorityLife } from "~/domain/authorities/life.policy";
import { findHeir, stopRenewals, takeOver } from "~/domain/authorities/life.service.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { usePortal } from "../support/portal";
import { usePublishedCrls } from "../support/repository";
import {
  OPERATOR,
  requestSuccessor,
  rootCrlRevoking,
  rootCrlRevokingSerial,
  signRequest,
  transferOf,
} from "../support/successors";

const portal = usePortal();
usePublishedCrls();

const NEXT = "issuing-sha2-2031";
const keys = () => readdirSync(join(portal.dataDir, "ca")).sort();
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const install = (pem: string, name: string = NEXT) =>
  problemOf(installTransfer(transferOf({ certificates: [{ kind: "issuing", name, pem }] }), OPERATOR));

let request = "";
beforeAll(async () => {
  ({ pem: request } = await requestSuccessor(NEXT));
});

const names = async () => (await listAuthorities(getDb())).map(({ name }) => name);
const FIRST = ["root", "issuing-sha2", "root-g3", "issuing-g3"];

test.each([
  ["issuing-sha2-delta"],
  ["issuing-md5"],
  ["issuing-sha2-20312031"],
  ["issuing-sha2-A"],
  ["root-2031"],
  ["../issuing-sha2"],
])("[CAL-01] a CA cannot have the name %s", async (name) => {
  const before = keys();
  expect(await problemOf(requestSuccessor(name as AuthorityName))).toMatch(
    /^The name must be 'issuing-sha2' or 'issuing-g3', /,
  );
  expect(keys()).toEqual(before);
});

test("[CAL-01] a request names no CA that exists, and says so when the key of one lies there", async () => {
  expect(await problemOf(requestSuccessor("issuing-sha2"))).toBe(
    "There is a CA 'issuing-sha2' already. Choose another name.",
  );
  expect(await problemOf(requestSuccessor("issuing-sha2-2", ""))).toMatch(/^--caption must have 1 to 64 characters/);
});

test("[CAL-01] the passphrase of a key that waits for its certificate is not changed", async () => {
  expect(await problemOf(changePassphrase("issuing", "Another-passphrase-42", OPERATOR))).toMatch(
    /\.waiting\.pem waits for its certificate with the present passphrase: run 'ca install', /,
  );
});

test("[CAL-01] a certificate by another root, of another key or without a request here is not installed", async () => {
  const before = keys();
  expect(await install(await signRequest(NEXT, request, { root: "root-g3" }))).toBe(
    `The certificate of '${NEXT}' cannot be installed. The issuer must be the subject of the CA that signs, byte for byte. The authority key identifier is not that of the issuer's key.`,
  );
  const own = toPem("CERTIFICATE", (await getAuthority(getDb(), "issuing-sha2")).certificate);
  expect(await install(own)).toBe(`The certificate of '${NEXT}' has the key of the CA 'issuing-sha2'.`);
  const root = toPem("CERTIFICATE", (await getAuthority(getDb(), "root")).certificate);
  expect(await install(root)).toContain("An issuing CA must have the path length 0.");
  expect(await install(await signRequest(NEXT, request), "issuing-sha2")).toBe(
    "There is a CA 'issuing-sha2' already, with another certificate.",
  );
  expect(await install(await signRequest(NEXT, request), "issuing-sha2-2032")).toBe(
    "The key of 'issuing-sha2-2032' is not on this machine. Run 'ca install' where 'ca request issuing-sha2-2032' made it, or sign the request of this portal.",
  );
  expect([await names(), keys()]).toEqual([FIRST, before]);
});

test("[CAL-01] the file of an earlier ceremony brings back neither a CA that its root has revoked since nor an older CRL", async () => {
  const before = keys();
  const pem = await signRequest(NEXT, request);
  const { serialNumber } = describeCertificate(fromPem("CERTIFICATE", pem));
  const crlOf = async (serial: string) => ({ issuer: "root", pem: (await rootCrlRevokingSerial("root", serial)).pem });
  const earlier = transferOf({ crls: [await crlOf("0ABC")] });
  await installTransfer(earlier, OPERATOR);
  const later = transferOf({ crls: [await crlOf(serialNumber)] });
  await installTransfer(later, OPERATOR);
  const { crlNumber } = await getAuthority(getDb(), "root");

  expect(await problemOf(installTransfer(earlier, OPERATOR))).toBe(
    `The CRL has number ${crlNumber - 1}, and 'root' had number ${crlNumber} already.`,
  );
  expect(await install(pem)).toBe(`The certificate of '${NEXT}' cannot be installed. It is on the CRL of 'root'.`);
  expect(await installTransfer(later, OPERATOR)).toMatchObject({ lists: [], authorities: [] });
  expect([await names(), keys()]).toEqual([FIRST, before]);
  expect(await getAuthority(getDb(), "root")).toMatchObject({ crlNumber });
});

test("[CAL-01] a file with one wrong part installs nothing, and the right one is installed once", async () => {
  const pem = await signRequest(NEXT, request);
  const certificates = [{ kind: "issuing" as const, name: NEXT, pem }];
  const { id, crlNumber } = await getAuthority(getDb(), "root");
  const crl = await findLatestCrl(getDb(), id, false);
  const g3 = toPem("X509 CRL", crl?.der ?? Buffer.alloc(0));
  const wrong = transferOf({ certificates, crls: [{ issuer: "root-g3", pem: g3 }] });
  expect(await problemOf(installTransfer(wrong, OPERATOR))).toMatch(/^The CRL names another issuer/);
  expect(
    await problemOf(installTransfer(transferOf({ certificates, crls: [{ issuer: "rot", pem: g3 }] }), OPERATOR)),
  ).toBe("There is no root 'rot', whose CRL is in the file.");
  expect(await names()).toEqual(FIRST);
  expect((await getAuthority(getDb(), "root")).crlNumber).toBe(crlNumber);

  const unused = { kind: "ocsp-responder" as const, name: "responder", pem };
  const right = transferOf({ certificates: [...certificates, unused] });
  expect(await installTransfer(right, OPERATOR)).toEqual({
    authorities: [NEXT],
    crossCertificates: [],
    lists: [],
    revoked: [],
    revokedCross: [],
    unused: ["responder"],
  });
  expect(await installTransfer(right, OPERATOR)).toMatchObject({ authorities: [] });
  expect(keys()).toContain(`${NEXT}.key.pem`);
  expect(keys().filter((file) => file.includes(".waiting."))).toEqual([]);
});

test("[CAL-01] what cannot be undone is told before an installation: a revoked CA, and one that does not fit the portal", async () => {
  const name = "issuing-sha2-2032";
  const other = { certificates: [{ kind: "issuing" as const, name, pem: await signRequest(NEXT, request) }] };
  expect(await listInstallNotices(transferOf(other))).toEqual([]);
  const wrong = await signRequest(NEXT, request, { policyOid: "2.999.7" });
  expect(await listInstallNotices(transferOf({ certificates: [{ kind: "issuing", name, pem: wrong }] }))).toEqual([
    `'${name}' may issue under the policy 2.999.7, but its certificates will name 2.999.1 (certificates.policyOid).`,
  ]);
  const crls = [{ issuer: "root", pem: await rootCrlRevoking("issuing-sha2") }];
  expect(await listInstallNotices(transferOf({ crls }))).toEqual([
    "The CRL of 'root' revokes 'issuing-sha2': nothing more is ever issued with it.",
  ]);
});

test("[CAL-01] new orders go back to the CA before when the one that issues stops", async () => {
  const [now, later] = [new Date(), addDays(new Date(), 900)];
  expect(await findHeir("issuing-sha2", now)).toBeNull(); // there is no other one
  expect(await findHeir(NEXT, now)).toBeNull(); // it is planned
  await takeOver(NEXT, addDays(now, 1), OPERATOR);
  expect([await findHeir(NEXT, later), await findHeir("issuing-sha2", later)]).toEqual(["issuing-sha2", null]);
});

test("[CAL-01] only a planned CA takes over, and only before its end", async () => {
  expect(await problemOf(takeOver("issuing-sha2", new Date(), OPERATOR))).toBe(
    "'issuing-sha2' is not planned any more. It is: active.",
  );
  expect(await problemOf(takeOver("root", new Date(), OPERATOR))).toBe(
    `There is no issuing CA 'root'. Issuing CAs: issuing-sha2, issuing-g3, ${NEXT}.`,
  );
  expect(await problemOf(takeOver(NEXT, addDays(new Date(), 4000), OPERATOR))).toMatch(
    /ends on .* UTC, before that\.$/,
  );
});

test("[CAL-01] the only CA that issues cannot stop", async () => {
  const all = await listAuthorities(getDb());
  const issuing = all.find(({ name }) => name === "issuing-sha2");
  expect(await problemOf(stopRenewals("issuing-sha2", new Date(), OPERATOR))).toBe(
    "No other CA issues for new orders at that time: let one take over before 'issuing-sha2' stops.",
  );
  expect(issuing && authorityLife(issuing, all, new Date())).toBe("active");
});

test("[CAL-01] a key that is not here any more is named at the start", async () => {
  const { settleAuthorities } = await import("~/domain/authorities/create.service.server");
  const file = join(portal.dataDir, "ca", `${NEXT}.key.pem`);
  renameSync(file, `${file}.away`);
  expect(await problemOf(settleAuthorities())).toContain(`is missing, but the database knows the CA '${NEXT}'.`);
  renameSync(`${file}.away`, file);
  expect(await problemOf(settleAuthorities())).toBe("done");
});
