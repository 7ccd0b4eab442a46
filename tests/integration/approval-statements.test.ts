import { expect, test } from "vitest";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder, approveOrders } from "~/domain/certificates/issuing/issuance.service.server";
import { extendProducts } from "~/domain/keys/modulus-products.service.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { checksDone, createCertificateOrder } from "../support/certificates";
import { signCsr } from "../support/csr";
import { createAdmin, createUser } from "../support/factories";
import { nextRsaKey } from "../support/keys";
import { SUBJECT } from "../support/openssl-command";
import { usePortal } from "../support/portal";
import { statementsOf } from "../support/statements";

usePortal({}, "strict");

/** Statements that begin and end transactions, and the lock of the keys, which only PostgreSQL needs. */
const isControl = (sql: string) => /^(begin|start transaction|commit|rollback|select pg_advisory_xact_lock)/.test(sql);

async function readyOrder(): Promise<number> {
  const { pem } = signCsr({ subject: SUBJECT, san: [], digest: "sha256", key: nextRsaKey() });
  return (await createCertificateOrder(await createUser(), pem, checksDone())).id;
}

async function sessionOf({ id }: { id: number }): Promise<SessionUser> {
  const user = await findSessionUser({ id, epoch: 0 });
  if (!user) throw new Error("The account is not there.");
  return user;
}

const anApprover = async () => sessionOf(await createAdmin());

/** Counts the statements of some work. The texts are printed when there are more than expected. */
async function counted(work: () => Promise<unknown>, most: { statements: number; commits: number }) {
  await extendProducts(); // the next check of any key does this for a new order
  const texts = await statementsOf(work);
  const statements = texts.filter((sql) => !isControl(sql));
  const commits = texts.filter((sql) => sql === "commit");
  if (statements.length > most.statements)
    console.error(statements.map((sql, index) => `${index + 1} ${sql.slice(0, 200)}`).join("\n"));
  expect(statements.length).toBeLessThanOrEqual(most.statements);
  expect(commits).toHaveLength(most.commits);
}

test("[CAL-04] one approval takes at most 40 statements, besides the locks of PostgreSQL, and two commits", async () => {
  const approver = await anApprover();
  await approveOrder(await readyOrder(), approver); // reads what a process reads once
  const id = await readyOrder();
  await counted(() => approveOrder(id, approver), { statements: 40, commits: 2 });
});

test("[CAL-04] a bulk approval takes as many statements and commits as one approval", async () => {
  const approver = await anApprover();
  await approveOrder(await readyOrder(), approver);
  const ids = [await readyOrder(), await readyOrder(), await readyOrder(), await readyOrder()];
  await counted(() => approveOrders(ids, approver), { statements: 40, commits: 2 });
});

test("[CAL-04] approvals of several people that are asked for at the same time share their commits, and each refuses alone", async () => {
  const [first, second] = [await anApprover(), await anApprover()];
  await approveOrder(await readyOrder(), first);
  const ids: number[] = [];
  for (let count = 0; count < 6; count += 1) ids.push(await readyOrder());
  const missing = 999_999;
  const [one = 0, other = 0] = ids;
  const asked = [
    ...ids.map((id, index) => [id, index % 2 ? second : first] as const),
    [missing, first],
    [one, second],
    [await readyOrder(), await sessionOf(await createUser())],
  ] as const;
  await extendProducts();
  let answers: PromiseSettledResult<CertificateRow>[] = [];
  const texts = await statementsOf(async () => {
    answers = await Promise.allSettled(asked.map(([id, user]) => approveOrder(id, user)));
  });
  // The first is recorded and stored alone; all others wait for it to be recorded.
  expect(texts.filter((sql) => sql === "commit").length).toBeLessThanOrEqual(4);
  const outcomes = answers.map((answer) => (answer.status === "fulfilled" ? answer.value.id : String(answer.reason)));
  const [ofFirst, ...others] = outcomes;
  const ofSecond = others.splice(ids.length, 1)[0]; // one of the two who approve the same order comes too late
  expect(others).toEqual([
    ...ids.slice(1),
    expect.stringContaining("cannot be found"),
    expect.stringContaining("right"),
  ]);
  const [winner, late] = ofFirst === one ? [first, ofSecond] : [second, ofFirst];
  expect([ofFirst, ofSecond]).toContain(one);
  expect(late).toContain("already been approved");
  const entries = getDb().selectFrom("auditEntries").select(["certificateId", "event", "actorId"]);
  const ofOrders = await entries
    .where("certificateId", "in", [one, other])
    .where("event", "in", ["certificate.approved", "certificate.issued"])
    .execute();
  expect(ofOrders.filter(({ certificateId }) => certificateId === one).map(({ actorId }) => actorId)).toEqual([
    winner.id,
    winner.id,
  ]);
  expect(ofOrders.filter(({ certificateId }) => certificateId === other).map(({ actorId }) => actorId)).toEqual([
    second.id,
    second.id,
  ]);
});
