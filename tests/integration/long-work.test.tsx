import { describe, expect, test } from "vitest";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import {
  LOST_AFTER_MS,
  loadLongWork,
  longWorkEnded,
  patienceMs,
  runLongWork,
} from "~/domain/jobs/long-work.service.server";
import { PortalError } from "~/lib/errors";
import { staffPaths } from "~/lib/staff-paths";
import * as bulkPage from "~/routes/home.certificate-queue.approve";
import * as workPage from "~/routes/home.long-work.$id";
import { getDb } from "~db/connection.server";
import { checksDone, readCertificate } from "../support/certificates";
import { createAdmin, createStaff } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { useQueue } from "./queue-orders";

usePortal();
const { people, order } = useQueue();

/** Makes the key of the issuing CA wait until the test lets it sign. */
async function holdSigner() {
  const real = await getSigner("issuing-sha2");
  let release: () => void = () => undefined;
  patienceMs.replace(50);
  const released = new Promise<void>((resolve) => (release = resolve));
  setSigner("issuing-sha2", { hash: real.hash, sign: async (tbs) => released.then(() => real.sign(tbs)) });
  return () => {
    release();
    setSigner("issuing-sha2", null);
    patienceMs.clear();
  };
}

async function approve(who: Visitor, ids: readonly number[]): Promise<Response> {
  const fields = { id: ids.join(","), confirmed: "yes" };
  return run(bulkPage.action, await who.post(staffPaths.approveOrders, fields));
}

const idIn = (answer: Response) => (answer.headers.get("Location") ?? "").replace(staffPaths.longWork(""), "");
const open = (who: Visitor, id: string) => openPage(workPage, who, staffPaths.longWork(id), { params: { id } });
const ask = (who: Visitor, id: string) => run(workPage.loader, who.get(staffPaths.longWork(id)), { id });

/** Returns the pieces of long work that are stored. */
const storedWork = () => getDb().selectFrom("drafts").selectAll().where("kind", "=", "long-work").execute();

async function staffUser(): Promise<SessionUser> {
  const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  return user;
}

const NEXT = { to: staffPaths.jobs, label: "Jobs" };

describe("[MAN-03] work that takes longer than two seconds", () => {
  test("[MAN-03] has a page that says how far it is, loads itself again, and shows what came of it at the end", async () => {
    const orders = [await order(checksDone()), await order(checksDone())];
    const letSign = await holdSigner();
    const answer = await approve(
      people.staff,
      orders.map(({ id }) => id),
    );
    const id = idIn(answer);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, staffPaths.longWork(id)]);
    const { html } = await open(people.staff, id);
    expect(textsOf(html, "h1")).toEqual(["Approving orders"]);
    expect(select(html, "progress").attr()).toMatchObject({ value: "0", max: "2" });
    expect(pageText(html)).toContain("0 of 2 orders");
    expect(pageText(html)).toMatch(/Running since \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC/);
    const running = await ask(people.staff, id);
    const sent = { loaderHeaders: running.headers } as Parameters<typeof workPage.headers>[0];
    expect(new Headers(workPage.headers(sent)).get("Refresh")).toBe("3");
    letSign();
    await longWorkEnded();
    expect(textsOf((await open(people.staff, id)).html, "h1")).toEqual(["Approved orders"]);
    const ended = await ask(people.staff, id);
    expect(ended.headers.get("Refresh")).toBeNull();
    const text = pageText((await open(people.staff, id)).html);
    expect(text).toContain("2 certificates have been issued.");
    expect((await readCertificate(orders[0]?.id ?? 0)).status).toBe("Issued");
  });

  test("[MAN-03] is seen by whoever began it and by administrators, as long as they have the right", async () => {
    const officer = await createStaff(["approver"]);
    const [approver, colleague] = [await signedInAs(officer), await signedInAs(await createStaff(["approver"]))];
    const one = await order(checksDone());
    const letSign = await holdSigner();
    const id = idIn(await approve(approver, [one.id]));
    expect((await ask(approver, id)).status).toBe(200);
    expect((await ask(colleague, id)).status).toBe(404);
    expect(pageText((await open(people.staff, id)).html)).toContain("started by");
    letSign();
    await longWorkEnded();
    await getDb().updateTable("userRights").set({ right: "finance" }).where("userId", "=", officer.id).execute();
    expect((await ask(approver, id)).status).toBe(404);
  });

  test("[CAL-04] says that it is lost when its process has ended, and what to do", async () => {
    const user = await staffUser();
    patienceMs.replace(50);
    let end: () => void = () => undefined;
    const begin = () => new Promise<void>((resolve) => (end = resolve));
    const toOutcome = () => ({ kind: "ok", text: "" }) as const;
    const started = await runLongWork(user.id, { kind: "approval", total: 7, next: NEXT, run: begin, toOutcome });
    const id = "id" in started ? started.id : "";
    const later = new Date(Date.now() + LOST_AFTER_MS + 5000);
    expect((await loadLongWork(user, id)).state).toBe("running");
    expect((await loadLongWork(user, id, later)).state).toBe("lost");
    const row = (await storedWork()).find((one) => one.id === id);
    const data = { ...(JSON.parse(row?.data ?? "{}") as object), reportedAt: new Date(0).toISOString() };
    const copy = { ...row, id: "lost", data: JSON.stringify(data) } as NonNullable<typeof row>;
    await getDb().insertInto("drafts").values(copy).execute();
    const { html } = await open(people.staff, "lost");
    expect(pageText(html)).toContain("The process that did this work has ended before the work was done.");
    expect(pageText(html)).toContain("Orders that were not reached are still in the queue: select them again.");
    expect((await ask(people.staff, "lost")).headers.get("Refresh")).toBeNull();
    end();
    await longWorkEnded();
  });

  test("[CAL-04] says why it failed", async () => {
    const user = await staffUser();
    patienceMs.replace(50);
    let fail: (error: Error) => void = () => undefined;
    const failing = new Promise<string>((_, reject) => (fail = reject));
    const toOutcome = (text: string) => ({ kind: "ok", text }) as const;
    const started = await runLongWork(user.id, { kind: "job", next: NEXT, run: () => failing, toOutcome });
    fail(new PortalError("The job 'mail' failed: the server is away", { code: "job.failed" }));
    await longWorkEnded();
    const { html } = await open(people.staff, "id" in started ? started.id : "");
    expect(pageText(html)).toContain("It was not done. The job 'mail' failed: the server is away");
  });

  test("[MAN-03] short work is answered at once, and nothing is stored about it", async () => {
    patienceMs.replace(60_000);
    const before = (await storedWork()).length;
    const answer = await approve(people.staff, [(await order(checksDone())).id]);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { issued: unknown[] }).issued).toHaveLength(1);
    expect(await storedWork()).toHaveLength(before);
  });
});
