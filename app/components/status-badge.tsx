export type Tone = "ok" | "info" | "warn" | "bad" | "mute";

/** Every status of certificates, codes and orders, and the tone in which it is shown. */
export const statusTones = {
  Issued: "ok",
  Downloaded: "ok",
  Registered: "ok",
  Paid: "ok",
  Pending: "info",
  Open: "info",
  Invoiced: "info",
  RequestRevoke: "warn",
  Revoked: "bad",
  Rejected: "bad",
  Expired: "mute",
  Renewed: "mute",
  Cancelled: "mute",
  Unknown: "mute",
} as const satisfies Record<string, Tone>;

export type Status = keyof typeof statusTones;

export function Badge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return <span className={`tag ${tone}`}>{children}</span>;
}

export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={statusTones[status]}>{status}</Badge>;
}
