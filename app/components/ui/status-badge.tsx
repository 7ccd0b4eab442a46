export type Tone = "ok" | "info" | "warn" | "bad" | "mute";

/** Every status of certificates, codes, orders, accounts, API clients, webhooks and messages, with the tone of its badge. */
export const statusTones = {
  Issued: "ok",
  Downloaded: "ok",
  Registered: "ok",
  Paid: "ok",
  Active: "ok",
  Confirmed: "ok",
  Delivered: "ok",
  Pending: "info",
  Open: "info",
  Invoiced: "info",
  Waiting: "info",
  Held: "mute",
  Paused: "warn",
  "No valid secret": "warn",
  "No scope": "warn",
  RequestRevoke: "warn",
  Locked: "warn",
  Failing: "warn",
  Revoked: "bad",
  Rejected: "bad",
  "Given up": "bad",
  Disabled: "bad",
  Expired: "mute",
  Ended: "mute",
  Renewed: "mute",
  Cancelled: "mute",
  Merged: "mute",
  Erased: "mute",
  Unused: "ok",
  Used: "info",
  Withdrawn: "mute",
  Unknown: "mute",
} as const satisfies Record<string, Tone>;

export type Status = keyof typeof statusTones;

export function Badge({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return <span className={`tag ${tone}`}>{children}</span>;
}

export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={statusTones[status]}>{status}</Badge>;
}
