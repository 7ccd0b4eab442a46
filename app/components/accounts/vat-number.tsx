import { type VatState } from "~/domain/reference/vat.service.server";
import { Badge, type Tone } from "../ui/status-badge";

const TEXTS: Record<VatState, [tone: Tone, badge: string, rest: string]> = {
  confirmed: ["ok", "Confirmed", " by the VAT service"],
  unanswered: ["warn", "Not checked", ": the VAT service did not answer"],
  "no-service": ["warn", "Not checked", ": no VAT service is configured for it"],
  unasked: ["warn", "Not checked", " yet"],
  "not-due": ["mute", "No check due", " in this country"],
};

/** A VAT number, and whether the VAT service confirmed it or why not. */
export function VatNumber({ number, state }: { number: string; state: VatState }) {
  const [tone, badge, rest] = TEXTS[state];
  return (
    <>
      {number} <Badge tone={tone}>{badge}</Badge>
      {rest}
    </>
  );
}
