import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";

type Field = "commonName" | "organisation" | "organisationUnit" | "state" | "country" | "email";
type Subject<More extends string> = Record<Field | More, string | null>;

/** Labels and order are those of PUR-03, Order. */
export const requestFacts = (subject: Subject<"serialNumber" | "city"> & Pick<ShownCsr, "names">) => [
  { term: "Common name", detail: subject.commonName },
  { term: "Organisation", detail: subject.organisation },
  { term: "Organisation unit", detail: subject.organisationUnit },
  { term: "Serial number", detail: subject.serialNumber },
  { term: "City", detail: subject.city },
  { term: "State", detail: subject.state },
  { term: "Country", detail: subject.country },
  { term: "Email address", detail: subject.email },
  {
    term: "Alternative names",
    detail: subject.names.map(({ caption, values }) => `${caption}: ${values.join(", ")}`).join("; "),
  },
];

/** Labels and order are those of CER-06, Certificate details. */
export const certificateFacts = (subject: Subject<"locality" | "ssid"> & { isManualSsid?: boolean }) => [
  { term: "Common name (CN)", detail: subject.commonName },
  { term: "Email (E)", detail: subject.email },
  { term: "Locality (L)", detail: subject.locality },
  { term: "State (ST)", detail: subject.state },
  { term: "Country (C)", detail: subject.country },
  { term: "Organisation (O)", detail: subject.organisation },
  { term: "Department (OU)", detail: subject.organisationUnit },
  {
    term: subject.isManualSsid ? "Serial number (SSID), typed in the order" : "Serial number (SSID)",
    detail: subject.ssid && <span className="mono">{subject.ssid}</span>,
  },
];
