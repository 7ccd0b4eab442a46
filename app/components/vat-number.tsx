import { Badge } from "./status-badge";

interface Props {
  vatNumber: string;
  /** Null where no check is due, as for a company outside the EU and the United Kingdom. */
  isChecked: boolean | null;
}

const NOT_CHECKED = "Not checked: the VAT service did not answer";

/** A VAT number, with whether the VAT service confirmed it. */
export function VatNumber({ vatNumber, isChecked }: Props) {
  return (
    <>
      {vatNumber}{" "}
      {isChecked ? (
        <Badge tone="ok">Confirmed by the VAT service</Badge>
      ) : (
        <Badge tone="warn">{isChecked === null ? "Not checked" : NOT_CHECKED}</Badge>
      )}
    </>
  );
}
