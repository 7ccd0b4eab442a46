import { Badge } from "./status-badge";

interface Props {
  vatNumber: string;
  /** Null where no check is due, as for a company outside the EU and the United Kingdom. */
  isChecked: boolean | null;
}

/** A VAT number, with whether the VAT service confirmed it. */
export function VatNumber({ vatNumber, isChecked }: Props) {
  return (
    <>
      {vatNumber}{" "}
      {isChecked ? (
        <>
          <Badge tone="ok">Confirmed</Badge> by the VAT service
        </>
      ) : (
        <>
          <Badge tone="warn">Not checked</Badge>
          {isChecked === false && ": the VAT service did not answer"}
        </>
      )}
    </>
  );
}
