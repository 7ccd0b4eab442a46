import { type ChildProcess, fork } from "node:child_process";
import { createPublicKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findIssuer } from "~/domain/authorities/authorities.service.server";
import { getDb } from "~db/connection.server";
import { checksDone, createCertificateOrder } from "../support/certificates";
import { childProgram } from "../support/child-programs";
import { createAdmin, createUser } from "../support/factories";
import { csrOf, makeManyKeys } from "../support/many-keys";
import { usePortal } from "../support/portal";
import { sized } from "../support/volume";

// On a busy machine a process may wait long for the locks of the two others.
const portal = usePortal({ DATABASE_TIMEOUT: "120" });
const ORDERS = sized(100, 1000);
const publicKeys = new Map<number, string>();
let file = "";
let adminId = 0;

beforeAll(async () => {
  file = join(portal.dataDir, "orders.json");
  adminId = (await createAdmin()).id;
  const customer = await createUser();
  const keys = (await makeManyKeys(ORDERS)).entries();
  const caller = async () => {
    for (const [index, key] of keys) {
      const csr = csrOf(key, `host-${index}.example`);
      const { id } = await createCertificateOrder(customer, csr, checksDone());
      publicKeys.set(id, createPublicKey(key).export({ format: "der", type: "spki" }).toString("hex"));
    }
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  writeFileSync(file, JSON.stringify([...publicKeys.keys()]));
}, 300_000);

/**
 * Starts a process that approves every order, beginning with that at `start`. `ended` is the signal that ended it, or its exit code, and what
 * it wrote about errors.
 */
function approver(start: number | "recover") {
  const child: ChildProcess = fork(childProgram("postgres/approver"), [file, String(adminId), String(start)], {
    execArgv: [],
    env: { ...process.env, ...portal.env },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => (errors += text.toString()));
  const ended = new Promise<{ how: NodeJS.Signals | number | null; errors: string }>((resolve) =>
    child.on("close", (code, signal) => resolve({ how: signal ?? code, errors })),
  );
  return { child, ready: once(child, "message"), ended };
}

const readAll = () => getDb().selectFrom("certificates").selectAll().orderBy("id").execute();

/** Returns how often the event is in the audit trail, for each certificate that has it. */
async function timesRecorded(event: string): Promise<Map<number | null, number>> {
  const rows = await getDb().selectFrom("auditEntries").select("certificateId").where("event", "=", event).execute();
  const times = new Map<number | null, number>();
  for (const { certificateId } of rows) times.set(certificateId, (times.get(certificateId) ?? 0) + 1);
  return times;
}

test(
  "[CAL-04] three processes approve the same orders and one is killed: none is issued twice or lost, and no serial number repeats",
  { timeout: 300_000 },
  async () => {
    const [one, two, killed] = [approver(0), approver(0), approver(ORDERS / 2)];
    await Promise.all([one.ready, two.ready, killed.ready]);
    for (const { child } of [one, two, killed]) child.send("go");
    killed.child.on(
      "message",
      ({ approved }: { approved: number }) => approved === Math.round(ORDERS * 0.06) && killed.child.kill("SIGKILL"),
    );
    expect(await Promise.all([one.ended, two.ended, killed.ended])).toEqual([
      { how: 0, errors: "" },
      { how: 0, errors: "" },
      { how: "SIGKILL", errors: "" },
    ]);

    const left = (await readAll()).filter(({ status }) => status !== "Issued");
    for (const row of left) expect(row).toMatchObject({ status: "Pending", der: null }); // the state in which the killed process left it
    expect(left.length).toBeLessThanOrEqual(8);
    const recovery = approver("recover"); // completes those orders, and tries in vain to approve every order again
    await recovery.ready;
    recovery.child.send("go");
    expect(await recovery.ended).toEqual({ how: 0, errors: "" });

    const rows = await readAll();
    expect(rows.map(({ status }) => status)).toEqual(Array<string>(ORDERS).fill("Issued"));
    expect(new Set(rows.map(({ serialNumber }) => serialNumber)).size).toBe(ORDERS);
    expect(new Set(rows.map(({ orderId }) => orderId)).size).toBe(ORDERS);
    const before = new Map(left.map(({ id, serialNumber }) => [id, serialNumber]));
    for (const { id, serialNumber } of rows) if (before.get(id)) expect(serialNumber).toBe(before.get(id));

    const issuer = await findIssuer(getDb(), "sha2");
    const { publicKey } = new X509Certificate(issuer?.certificate ?? "");
    for (const { id, der, serialNumber } of rows) {
      const certificate = new X509Certificate(der ?? "");
      expect(certificate.serialNumber).toBe(serialNumber);
      expect(certificate.publicKey.export({ format: "der", type: "spki" }).toString("hex")).toBe(publicKeys.get(id));
      expect(certificate.verify(publicKey)).toBe(true);
    }
    for (const event of ["certificate.approved", "certificate.issued"]) {
      const times = await timesRecorded(event);
      expect([event, times.size, new Set(times.values())]).toEqual([event, ORDERS, new Set([1])]);
    }
    const mails = await getDb().selectFrom("mails").select("dedupeKey").where("invoiceId", "is", null).execute();
    expect(mails.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(
      rows.map(({ id }) => `certificate-issued:${id}`).sort(),
    );
    const invoices = await getDb().selectFrom("invoices").select(["number", "orderId"]).orderBy("number").execute();
    expect(invoices.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    expect(new Set(invoices.map(({ orderId }) => orderId)).size).toBe(ORDERS);
  },
);
