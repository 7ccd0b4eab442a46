import { once } from "node:events";
import { readFileSync } from "node:fs";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { PortalError } from "~/lib/errors";
import { closeDb } from "~db/connection.server";

// A process of the portal that approves many orders. Its arguments are a file with their ids, the administrator, and the position at which
// to begin.
const [file = "", userId, start] = process.argv.slice(2);
const CALLERS = 8;

const ids = JSON.parse(readFileSync(file, "utf8")) as number[];
async function someone() {
  const user = await findSessionUser({ id: Number(userId), epoch: 0 });
  if (!user) throw new Error(`There is no user ${userId}.`);
  return user;
}
const approver = await someone();

if (start === "recover") await finishInterruptedIssuing();
const first = Number(start) || 0;
const waiting = [...ids.slice(first), ...ids.slice(0, first)].values();

/** Returns whether this process has approved the order. */
async function approve(id: number): Promise<boolean> {
  try {
    await approveOrder(id, approver);
    return true;
  } catch (error) {
    if (error instanceof PortalError && error.code === "certificate.not-pending") return false;
    throw error;
  }
}

process.send?.({ approved: 0 });
await once(process, "message"); // all processes begin at the same time

let approved = 0;
await Promise.all(
  Array.from({ length: CALLERS }, async () => {
    for (const id of waiting) if (await approve(id)) process.send?.({ approved: (approved += 1) });
  }),
);
await closeDb();
process.disconnect?.();
