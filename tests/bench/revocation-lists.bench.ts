import { readFileSync } from "node:fs";
import { describeCrl } from "~/ca/crl/describe.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishLists } from "~/domain/authorities/publishing.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { revokeCertificate } from "~/domain/certificates/revocation.service.server";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { createAdmin } from "../support/factories";
import { issueCertificate } from "../support/certificates";
import { fillCertificates } from "./lists";
import { round, say, timed, withPortal } from "./portal";

const SIZES = (process.env.BENCH_LISTS ?? "100000,1000000").split(",").map(Number);

/** Megabytes of memory that this process has had at most (VmHWM); it is set back to the present by writing 5 to clear_refs. */
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;

async function latest(isDelta: boolean) {
  const { id } = await getAuthority(getDb(), "issuing-sha2");
  const list = await findLatestCrl(getDb(), id, isDelta);
  if (!list) throw new Error("There is no list.");
  return describeCrl(list.der);
}

for (const size of SIZES)
  await withPortal("sqlite", async () => {
    await fillCertificates(size, { isRevoked: true });
    await getSigner("issuing-sha2");
    const before = peak();
    const first = await timed(() => publishLists("issuing-sha2"));
    if ((await latest(false)).entryCount !== size) throw new Error("The list is not whole.");
    say(`list of ${size}: first publishing, base and delta, signatures and storing included: ${round(first)} ms`);
    say(`list of ${size}: peak memory ${round(peak())} MB (${round(before)} MB before)`);

    const { id, serialNumber } = await issueCertificate();
    const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    if (!user) throw new Error("The administrator is not there.");
    const order = { certificateId: id, user, reason: 4 as const, description: "", date: new Date() };
    const more = await timed(() => revokeCertificate(order));
    for (const isDelta of [false, true])
      if (!(await latest(isDelta)).find(serialNumber)) throw new Error("The revocation is not published.");
    say(`list of ${size}: revoking one more, both lists published before the answer: ${round(more)} ms`);
  });
