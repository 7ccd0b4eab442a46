import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { closeDb, getDb } from "~db/connection.server";
import { findLatestAudit } from "~db/repositories/certificate-audits.server";
import { childProgram } from "../support/child-programs";
import { fillCertificates } from "../support/many-certificates";
import { usePortal } from "../support/portal";

const portal = usePortal();
const ROWS = 650;

test("[AUD-02] an audit that is killed in the middle goes on after the last certificate that it stored", async () => {
  await fillCertificates(ROWS, { isRevoked: false }); // rows without a certificate, each of which is a finding
  await closeDb(); // so that only the child uses the database
  const child = spawn(process.execPath, [childProgram("crash/audit-child")], {
    env: { ...process.env, ...portal.env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  expect((await once(child, "close"))[1]).toBe("SIGKILL");

  const killed = await findLatestAudit(getDb());
  expect(killed).toMatchObject({ finishedAt: null });
  const done = killed?.checked ?? 0;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(ROWS);
  const firstSeen = async () =>
    (await getDb().selectFrom("auditFindings").select(["lastSeenAt"]).execute()).map(({ lastSeenAt }) => lastSeenAt);
  const before = await firstSeen();
  expect(before).toHaveLength(done);

  const later = new Date(Date.now() + 60_000);
  expect(await auditEverything(later)).toBe(`${ROWS} certificates audited, ${ROWS} findings open, 0 settled`);
  const after = await firstSeen();
  // What the killed process had audited was not audited again.
  expect(after.filter((at) => at === later.toISOString())).toHaveLength(ROWS - done);
  expect(await findLatestAudit(getDb())).toMatchObject({ id: killed?.id, checked: ROWS });

  // The next night begins anew.
  await auditEverything(new Date(later.getTime() + 60_000));
  expect((await findLatestAudit(getDb()))?.id).not.toBe(killed?.id);
});
