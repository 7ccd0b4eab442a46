import { VAT_TEXTS } from "~/domain/reference/vat-texts";
import { type VatState } from "~/domain/reference/vat.service.server";
import { Badge, type Tone } from "../ui/status-badge";

const TONES: Partial<Record<VatState, Tone>> = { confirmed: "ok", "not-due": "mute" };

/** A VAT number, and whether the VAT service confirmed it or why not. */
export function VatNumber({ number, state }: { number: string; state: VatState }) {
  const [badge, rest] = VAT_TEXTS[state];
  return (
    <>
      {number} <Badge tone={TONES[state] ?? "warn"}>{badge}</Badge>
      {rest}
    </>
  );
}
