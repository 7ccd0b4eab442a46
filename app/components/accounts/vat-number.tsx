import { Badge } from "../ui/status-badge";

interface Props {
  vatNumber: string;
  /** Null where no check is due, as for a company outside the EU and the United Kingdom. */
  isChecked: boolean | null;
}

const ABOUT = { true: " by the VAT service", false: ": the VAT service did not answer", null: "" };

/** A VAT number, with whether the VAT service confirmed it. */
export function VatNumber({ vatNumber, isChecked }: Props) {
  return (
    <>
      {vatNumber} <Badge tone={isChecked ? "ok" : "warn"}>{isChecked ? "Confirmed" : "Not checked"}</Badge>
      {ABOUT[`${isChecked}`]}
    </>
  );
}
