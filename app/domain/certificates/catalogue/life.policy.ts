import { addDays, DAY, daysUntil, formatDate } from "~/lib/dates";
import { type CertificateStatus } from "~db/tables";
import { type RenewalWindow } from "../certificates.policy";

/** From how many days before its end a certificate counts as ending soon. */
const SOON_DAYS = 30;

export interface CertificateLife {
  status: CertificateStatus;
  /** ISO timestamps, null while there is no certificate. */
  startDate: string | null;
  expiryDate: string | null;
  revocationDate: string | null;
  /** Why it was or will be revoked, in words, or "". */
  reason: string;
  /** Whether partners refuse it, because its issuing CA is revoked. */
  isIssuerRevoked: boolean;
  /** Whether its owner can renew it now. */
  isRenewalOpen: boolean;
}

interface LifeWords {
  tone: "ok" | "info" | "warn" | "bad" | "mute";
  text: string;
}

const NO_CERTIFICATE: Partial<Record<CertificateStatus, string>> = {
  Pending: "No certificate yet",
  Rejected: "No certificate",
  Cancelled: "No certificate",
};

const daysLeftText = (days: number): string => (days === 1 ? "1 day left" : `${days} days left`);

/** Returns what the status of a certificate means today: `Valid, renewal open, 21 days left`. */
export function lifeWords(life: CertificateLife, now: Date): LifeWords {
  const { status, startDate, expiryDate, revocationDate, reason } = life;
  if (status === "Revoked" || status === "RequestRevoke") {
    const [tone, start] = status === "Revoked" ? (["bad", "Revoked"] as const) : (["warn", "To be revoked"] as const);
    return { tone, text: [`${start} ${formatDate(revocationDate)}`, reason].filter(Boolean).join(", ") };
  }
  if (!startDate || !expiryDate) return { tone: "mute", text: NO_CERTIFICATE[status] ?? "No certificate" };
  if (status === "Expired" || Date.parse(expiryDate) <= now.getTime()) {
    const renewal = life.isRenewalOpen ? ", renewal open" : "";
    return { tone: "mute", text: `Expired since ${formatDate(expiryDate)}${renewal}` };
  }
  if (life.isIssuerRevoked) return { tone: "bad", text: "Refused by partners, its CA is revoked" };
  if (Date.parse(startDate) > now.getTime())
    return { tone: "info", text: `Not yet valid, from ${formatDate(startDate)}` };
  const days = daysUntil(expiryDate, now);
  const text = ["Valid", life.isRenewalOpen && "renewal open", daysLeftText(days)].filter(Boolean).join(", ");
  return { tone: days <= SOON_DAYS && status !== "Renewed" ? "warn" : "ok", text };
}

/** Returns where a time is between two others, in percent with one digit. */
function percent(at: number, from: number, until: number): number {
  const share = until > from ? (at - from) / (until - from) : 1;
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}

/** Returns the bar from issue to expiry with its sentence. Returns null when there is no such time, or when the certificate is revoked. */
export function lifeBar(life: CertificateLife, window: Pick<RenewalWindow, "renewalsFromDays">, now: Date) {
  const { status, startDate, expiryDate } = life;
  if (status === "Revoked" || !startDate || !expiryDate) return null;
  const [from, until] = [Date.parse(startDate), Date.parse(expiryDate)];
  const opens = addDays(new Date(expiryDate), -window.renewalsFromDays);
  const isRenewed = status !== "Issued" && status !== "Downloaded";
  const passed = percent(now.getTime(), from, until);
  const opensText = `Renewal ${opens <= now ? "is open since" : "opens on"} ${formatDate(opens.toISOString())}.`;
  const sentences = [
    `Valid from ${formatDate(startDate)} to ${formatDate(expiryDate)}.`,
    `${Math.floor(passed)} % of the time has passed.`,
    !isRenewed && until > now.getTime() && opensText,
  ];
  return {
    /** What has passed and where the renewal opens, in percent. Null when the renewal opens at no time between. */
    passed,
    renewal: opens.getTime() > from ? percent(opens.getTime(), from, until) : null,
    isSoon: until - now.getTime() <= SOON_DAYS * DAY,
    text: sentences.filter(Boolean).join(" "),
  };
}
