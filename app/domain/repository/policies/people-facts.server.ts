import { countFailure } from "~/domain/accounts/account-lock.server";
import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { mintAuthString } from "~/domain/accounts/administration/impersonation.service.server";
import { needsSecond } from "~/domain/accounts/administration/user-administration.policy";
import { factorDueAt } from "~/domain/accounts/factors/factors.policy";
import { requireFreshProof } from "~/domain/accounts/factors/step-up.server";
import { setPassword } from "~/domain/accounts/password-change.service.server";
import { strengthProblem } from "~/domain/accounts/password-strength.server";
import { hashAnswer, hashPassword } from "~/domain/accounts/passwords.server";
import { erasePerson } from "~/domain/accounts/personal-data/erase.server";
import { requestErasure } from "~/domain/accounts/personal-data/erasure.service.server";
import { exportPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { endRetention } from "~/domain/accounts/personal-data/retention.server";
import { checkResetCode } from "~/domain/accounts/recovery/recovery.service.server";
import { may, STAFF_RIGHTS, type Task, TASKS } from "~/domain/accounts/rights.policy";
import { type Person } from "~/domain/accounts/same-person.policy";
import { isSessionOpen } from "~/domain/accounts/sessions/sessions.server";
import { sendVerification } from "~/domain/accounts/verification.service.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { verifyAndSign } from "~/domain/audit/checkpoint.service.server";
import { readRoot } from "~/domain/audit/tree.server";
import { encrypterFor, requireGoodPassphrase } from "~/domain/backup/locks.server";
import { settleRestored } from "~/domain/backup/restored.service.server";
import { type OrderParties, whyNotDecide } from "~/domain/certificates/queue/four-eyes.policy";
import { mayAsMember, mayFor } from "~/domain/companies/roles.policy";
import { LIMITS } from "~/domain/limits/tries.server";
import { lookUpVat } from "~/domain/reference/vat-lookups.server";
import { recordWithChange } from "~/domain/security-events/security-events.service.server";
import { getConfig } from "~/lib/config.server";
import { type FourEyes } from "~/lib/four-eyes.server";
import { makeLog } from "~/lib/log.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";
import { type Facts, keptBy } from "./fact";

const NOBODY = { names: [], registrationNumbers: [] };

const person = (id: number): Person => ({ id, mergedInto: null, names: [`person ${id}`], emails: [`${id}@a.example`] });

const NO_PARTIES: OrderParties = { company: NOBODY, placedBy: [], checkedBy: [], contact: null, changedBy: [] };

/** The ways in which person 1 can have a part in an order. */
const PARTS = {
  placed: { parties: { placedBy: [person(1)] }, isMember: false },
  "placed with another account": { parties: { placedBy: [{ ...person(2), names: ["person 1"] }] }, isMember: false },
  checked: { parties: { checkedBy: [{ by: person(1), check: "a check", at: "today" }] }, isMember: false },
  "belongs to the company": { parties: {}, isMember: true },
  none: { parties: {}, isMember: false },
};

/** Returns whether person 1 cannot take this decision about an order in which they have this part. */
function isKeptOut(task: "check" | "approve", part: keyof typeof PARTS, mode: FourEyes): boolean {
  const { parties, isMember } = PARTS[part];
  const viewer = { ...person(1), companies: NOBODY, isMember };
  return whyNotDecide(task, viewer, { ...NO_PARTIES, ...parties }, mode) !== null;
}

/** The facts about the four-eyes principle. Nobody decides about an order of their own; the other facts hold in one mode only. */
const fourEyesFacts = (mode: FourEyes): Facts => ({
  "four-eyes.own-order": () => isKeptOut("check", "placed", mode) && isKeptOut("approve", "placed", mode),
  "four-eyes.strict": () =>
    isKeptOut("approve", "checked", mode) &&
    isKeptOut("check", "placed with another account", mode) &&
    isKeptOut("check", "belongs to the company", mode) &&
    !isKeptOut("approve", "none", mode),
  "four-eyes.second-grants": () => needsSecond("approver", { by: 1, isStrict: mode === "strict" }),
  "four-eyes.small-office": () => mode === "small-office" && !isKeptOut("approve", "checked", mode),
});

/** Returns whether some right of staff allows the task, and not every one does. */
const isReserved = (task: Task) => {
  const able = STAFF_RIGHTS.filter((right) => may({ rights: [right] }, task));
  return able.length > 0 && able.length < STAFF_RIGHTS.length;
};

const staff = (): Facts => {
  const { factorGraceDays } = getConfig().accounts;
  return {
    "staff.rights": () =>
      (["check-orders", "approve-orders", "change-users", "see-audit-trail"] as const).every(isReserved),
    "staff.auditor-reads": () =>
      Object.keys(TASKS).every((task) => may({ rights: ["auditor"] }, task as Task) === task.startsWith("see-")),
    "staff.evidence": () => isReserved("see-evidence"),
    "staff.second-factor": () =>
      factorDueAt({ rights: ["approver"], factorAskedAt: "2026-01-01T00:00:00Z" }, factorGraceDays) !== null,
    "staff.second-factor-at-once": () => factorGraceDays === 0,
    "staff.second-factor-later": () => factorGraceDays > 0,
    "staff.fresh-proof": keptBy(requireFreshProof),
    "staff.acting": keptBy(mintAuthString, requireNoImpersonation),
  };
};

const members = (): Facts => ({
  "member.own-company": () => {
    const owner = { companyId: 1, role: "owner", isApplicant: true } as const;
    return (
      mayFor(owner, { companyId: 1 }, "revoke-own-certificates") &&
      !mayFor(owner, { companyId: 2 }, "revoke-own-certificates")
    );
  },
  "member.applicant": () =>
    mayAsMember({ role: "owner", isApplicant: true }, "place-orders") &&
    !mayAsMember({ role: "owner", isApplicant: false }, "place-orders"),
  "member.email-confirmed": keptBy(sendVerification),
});

const accounts = (): Facts => {
  const { passwordMaxAgeDays, breachedPasswords } = getConfig().accounts;
  return {
    "password.strength": keptBy(strengthProblem),
    "password.breached": () => breachedPasswords !== undefined,
    "password.expires": () => passwordMaxAgeDays > 0,
    "password.never-expires": () => passwordMaxAgeDays === 0,
    "password.hashed": keptBy(hashPassword, hashAnswer),
    "password.locked": keptBy(countFailure),
    "password.reset-code": keptBy(checkResetCode),
    "login.limits": () => "login-account" in LIMITS && "login-address" in LIMITS && "recovery-account" in LIMITS,
    "session.ends": keptBy(isSessionOpen, setPassword),
  };
};

const records = (): Facts => ({
  "audit.in-transaction": keptBy(recordAudit),
  "audit.sealed": keptBy(verifyAndSign),
  "audit.trees": keptBy(readRoot),
  "records.events": keptBy(recordWithChange),
  "records.log": () => {
    const lines: string[] = [];
    const secrets = { password: "a secret", csr: "a secret", token: "a secret", cookie: "a secret" };
    makeLog("info", { write: (line: string) => void lines.push(line) }).info(secrets);
    return lines.length === 1 && !lines.join("").includes("a secret");
  },
  "records.vat": keptBy(lookUpVat),
  "records.temporary": keptBy(deleteEndedRows, endRetention),
  "records.erasure": keptBy(erasePerson),
  "privacy.export": keptBy(exportPersonalData),
  "privacy.erasure": keptBy(requestErasure),
  "backup.encrypted": keptBy(encrypterFor),
  "backup.without-passphrase": keptBy(requireGoodPassphrase),
  "backup.restored": keptBy(settleRestored),
});

/** Returns the facts about people: who may do what, how they log in, and what is recorded of them. */
export const factsOfPeople = (mode: FourEyes): Facts => ({
  ...fourEyesFacts(mode),
  ...staff(),
  ...members(),
  ...accounts(),
  ...records(),
});
