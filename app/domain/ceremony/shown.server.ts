import { basename } from "node:path";
import { type CheckedCeremony, type StepPreview } from "./check.server";
import { type PlannedStep } from "./inputs.server";
import { type Step } from "./plan-schema.server";
import { type Fact, grouped } from "./readable.server";

/** What each kind of step makes, in words. */
export const KIND_TITLES: Record<Step["kind"], string> = {
  root: "Root with its own certificate",
  issuing: "Certificate of an issuing CA",
  "cross-certificate": "Cross-certificate",
  "ocsp-responder": "Certificate of an OCSP responder",
  crl: "CRL of a root",
};

/** Returns the heading of a step, such as `Step 2: issuing-sha2. Certificate of an issuing CA.` */
export const stepHeading = ({ step, place }: PlannedStep): string =>
  `Step ${Number(/\d+/.exec(place)?.[0]) + 1}: ${step.name}. ${KIND_TITLES[step.kind]}.`;

/** Returns facts as lines whose values begin in the same column. */
export function factLines(facts: readonly Fact[]): string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}

/** Returns a step in full, with what people should decide about. */
export const previewLines = ({ facts, findings }: StepPreview): string[] => [
  ...factLines(facts),
  ...findings.notices.map((notice) => `  Notice: ${notice}`),
];

/** Returns what a ceremony is: its title, its people, and the fingerprint of its plan. */
export function openingFacts({ plan, file, sha256 }: CheckedCeremony): Fact[] {
  return [
    ["Date", plan.date],
    ...(plan.place === undefined ? [] : [["Place", plan.place] as const]),
    ["Operator", plan.operator],
    ...plan.witnesses.map(({ name, role }): Fact => ["Witness", `${name} (${role})`]),
    ["Plan", basename(file)],
    ["Plan SHA-256", grouped(sha256)],
  ];
}

/** Returns the lines with which a ceremony, or its check, begins. */
export const openingLines = (checked: CheckedCeremony): string[] => [
  checked.plan.title,
  ...factLines(openingFacts(checked)),
];

/** Returns the whole plan as it will be signed. */
export const ceremonyLines = (checked: CheckedCeremony): string[] => [
  ...openingLines(checked),
  ...checked.previews.flatMap((preview) => ["", stepHeading(preview.planned), ...previewLines(preview)]),
];
