import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { closeDb, getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  issueCertificate,
  invoiceMailsOf,
  mailsOf,
  readCertificate,
} from "../support/certificates";
import { childProgram } from "../support/child-programs";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

const portal = usePortal();
const { makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let admin: User;

beforeAll(async () => {
  [anna, admin] = [await createUser(), await createAdmin()];
});

/** Runs the child script on this portal's data. Returns the signal that ended it, or its exit code. */
async function child(mode: string, certificateId = 0): Promise<NodeJS.Signals | number | null> {
  await closeDb(); // so that only the child uses the database
  const args = [childProgram("crash/child"), mode, String(certificateId), String(admin.id)];
  const running = spawn(process.execPath, args, {
    env: { ...process.env, ...portal.env },
    stdio: ["ignore", "inherit", "pipe"],
  });
  let problems = "";
  running.stderr.on("data", (text: Buffer) => (problems += text.toString()));
  return new Promise((resolve) => {
    running.on("close", (code, signal) => {
      if (code) console.warn(problems);
      resolve(signal ?? code);
    });
  });
}

const outboxTo = (recipient: string, text: string) => {
  const directory = join(portal.dataDir, "outbox");
  const files = readdirSync(directory).filter((name) => name.endsWith(".eml"));
  return files
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .filter((mail) => mail.includes(recipient) && mail.includes(text));
};

const order = () => createCertificateOrder(anna, makeCsr().der, checksDone());

describe("the process is killed while it issues a certificate", () => {
  test.each(["before-signature", "after-signature"])(
    "[CAL-04] %s: the next start issues the recorded certificate once, with one mail",
    async (mode) => {
      const { id, orderId } = await order();
      expect(await child(mode, id)).toBe("SIGKILL");
      const recorded = await readCertificate(id);
      expect(recorded).toMatchObject({ status: "Pending", der: null });
      expect(recorded.tbsCertificate).not.toBeNull();
      expect(await mailsOf(orderId)).toEqual([]);

      expect(await child("start")).toBe(0);
      const issued = await readCertificate(id);
      expect(issued).toMatchObject({ status: "Issued", serialNumber: recorded.serialNumber });
      expect(new X509Certificate(issued.der ?? Buffer.alloc(0)).serialNumber).toBe(recorded.serialNumber);

      expect(await child("start")).toBe(0);
      expect(await readCertificate(id)).toEqual(issued);
      expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
      const mails = await mailsOf(orderId);
      expect(mails.map(({ sentAt }) => sentAt !== null)).toEqual([true]);
      expect((await invoiceMailsOf(orderId)).map(({ sentAt }) => sentAt !== null)).toEqual([true]);
      expect(outboxTo(anna.email, `certificate-download/${id}`)).toHaveLength(1);
    },
  );

  test("[CAL-04][MAI-03] between storing and mailing: the next start sends the mail once", async () => {
    const { id, orderId } = await order();
    expect(await child("after-storing", id)).toBe("SIGKILL");
    const issued = await readCertificate(id);
    expect(issued.status).toBe("Issued");
    expect((await mailsOf(orderId)).map(({ sentAt }) => sentAt)).toEqual([null]);

    for (const start of [1, 2]) {
      expect([start, await child("start")]).toEqual([start, 0]);
      expect(await readCertificate(id)).toEqual(issued);
      expect(outboxTo(anna.email, `certificate-download/${id}`)).toHaveLength(1);
    }
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
  });

  test("[CAL-04] several processes that start at once finish the certificate once", async () => {
    const { id, orderId } = await order();
    expect(await child("after-signature", id)).toBe("SIGKILL");
    expect(await Promise.all([child("start"), child("start"), child("start")])).toEqual([0, 0, 0]);
    expect((await readCertificate(id)).status).toBe("Issued");
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
    expect(await mailsOf(orderId)).toHaveLength(1);
  });
});

describe("the process is killed while it issues a renewal", () => {
  test.each([
    ["before-signature", "Issued"],
    ["after-signature", "Issued"],
    ["after-storing", "Renewed"],
  ])(
    "[REN-04][CAL-04] %s: the original is %s until the next start and Renewed after it, once",
    async (mode, status) => {
      const original = await issueCertificate({ customer: anna, csr: makeCsr().der });
      const renewal = { ...checksDone(), orderType: "Renewal" as const, previousCertificateId: original.id };
      const { id, orderId } = await createCertificateOrder(anna, makeCsr().der, renewal);
      expect(await child(mode, id)).toBe("SIGKILL");
      expect((await readCertificate(original.id)).status).toBe(status);
      expect(await Promise.all([child("start"), child("start")])).toEqual([0, 0]);
      expect((await readCertificate(id)).status).toBe("Issued");
      expect((await readCertificate(original.id)).status).toBe("Renewed");
      const events = await auditEventsOf(original.id);
      expect(events.filter((event) => event === "certificate.renewed")).toHaveLength(1);
      expect(await mailsOf(orderId)).toHaveLength(1);
    },
  );
});

test("[REV-04][CAL-03] a kill between revocation and publication: the next start publishes the revocation", async () => {
  const { id, serialNumber } = await issueCertificate({ customer: anna, csr: makeCsr().der });
  await publishCrls("issuing-sha2");
  expect(await child("before-publishing", id)).toBe("SIGKILL");
  expect((await readCertificate(id)).status).toBe("Revoked");
  const published = async () => {
    const issuer = await findIssuer(getDb(), "sha2");
    const list = issuer && (await findLatestCrl(getDb(), issuer.id, false));
    return list && describeCrl(list.der).find(serialNumber ?? "");
  };
  expect(await published()).toBeNull();
  expect(await child("start")).toBe(0);
  expect(await published()).toMatchObject({ reason: 4 });
});
