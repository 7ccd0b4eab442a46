import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { sql } from "kysely";
import { describeCrl } from "~/ca/crl/describe.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { revokeCertificate } from "~/domain/certificates/revocation/revocation.service.server";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { issueCertificate } from "../support/certificates";
import { createAdmin } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { opensslCrlTime } from "./peers";
import { median, processorTime, round, timed, withPortal } from "./portal";
import { report } from "./report";

const SIZES = (process.env.BENCH_LISTS ?? "100000,1000000").split(",").map(Number);
const TIMES = 3;
/** The limits by the number of entries: of publishing, of one revocation, and of the memory over that of an idle process. */
const LIMITS: Partial<Record<number, { ms: number; MB: number; revokingMs?: number }>> = {
  100_000: { ms: 60, MB: 60, revokingMs: 150 },
  1_000_000: { ms: 700, MB: 200 },
};

const STATUS = "/proc/self/status";
const isLinux = existsSync(STATUS);

/**
 * Returns the memory of this process in megabytes: now (VmRSS), or the maximum since `setPeakBack` (VmHWM). On systems other than Linux,
 * both are the memory of now.
 */
const memory = (kind: "VmRSS" | "VmHWM") =>
  isLinux
    ? Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(STATUS, "utf8"))?.[1]) / 1024
    : process.memoryUsage.rss() / 2 ** 20;

function setPeakBack(): void {
  if (isLinux) writeFileSync("/proc/self/clear_refs", "5");
}

/** Gives every entry a CRL number of its own, as if each revocation had been published immediately, most of them long ago. */
async function spread(): Promise<void> {
  const { id, crlNumber } = await getAuthority(getDb(), "issuing-sha2");
  await sql`update certificates set first_crl_number = ${crlNumber} + id where authority_id = ${id}`.execute(getDb());
  await getDb().deleteFrom("crls").where("authorityId", "=", id).execute();
  await sql`update authorities set crl_number = ${crlNumber} + (select max(id) from certificates) where id = ${id}`.execute(
    getDb(),
  );
}

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
    await spread();
    await publishCrls("issuing-sha2");
    if ((await latest(false)).entryCount !== size) throw new Error("The list is not whole.");
    const runs: { ms: number; own: number }[] = [];
    const idle = memory("VmRSS");
    let peak = 0;
    for (let time = 0; time < TIMES; time += 1) {
      setPeakBack();
      let own = 0;
      const ms = await timed(async () => (own = await processorTime(() => publishCrls("issuing-sha2"))));
      runs.push({ ms, own });
      peak = Math.max(peak, memory("VmHWM"));
    }
    const middle = (of: "ms" | "own") => median(runs.map((run) => run[of]));
    const limits = LIMITS[size];
    const note = `processor time ${round(middle("own"))} ms`;
    const name = `Base and delta CRL of ${size}, signed and stored`;
    const openssl = await opensslCrlTime(size);
    report({
      name,
      measured: middle("ms"),
      unit: "ms",
      comparedWith: openssl === null ? undefined : { name: "openssl, base CRL only", value: openssl },
      must: limits && { of: "measured", atMost: limits.ms },
      note,
    });
    const must = limits && ({ of: "measured", atMost: limits.MB } as const);
    report({ name: `${name}: memory over idle`, measured: peak - idle, unit: "MB", must });

    const { id, serialNumber } = await issueCertificate();
    const user = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    if (!user) throw new Error("The administrator is not there.");
    const order = { certificateId: id, user, reason: 4 as const, description: "", date: new Date() };
    const more = await timed(() => revokeCertificate(order));
    for (const isDelta of [false, true])
      if (!(await latest(isDelta)).find(serialNumber)) throw new Error("The revocation is not published.");
    report({
      name: `One revocation to both CRLs, ${size} revoked`,
      measured: more,
      unit: "ms",
      must: limits?.revokingMs ? { of: "measured", atMost: limits.revokingMs } : undefined,
    });
  });
