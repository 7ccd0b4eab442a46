import { useEffect, useRef } from "react";
import { type Preflight } from "~/domain/certificates/preflight/preflight.service.server";
import { BrokenRuleList, MarkNotes } from "../certificates/broken-rules";
import { LintNote } from "../certificates/lint-note";
import { requestFacts } from "../certificates/subject-facts";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { Note } from "../ui/note";

const refusedTitle = (count: number) =>
  `An order refuses this CSR, because it breaks ${count === 1 ? "a rule" : `${count} rules`}:`;

/** Whether an order takes the CSR, and what is marked. */
function Verdict({ preflight: { rules, marks, lints, certificate } }: { preflight: Preflight }) {
  return (
    <>
      {rules.length > 0 ? (
        <Note tone="bad" title={refusedTitle(new Set(rules.map(({ code }) => code)).size)}>
          <BrokenRuleList rules={rules} />
        </Note>
      ) : (
        <Note tone="ok" title="An order takes this CSR, if nobody else has its key.">
          <p>
            {certificate
              ? "Compare the details below with what you want: they cannot be changed in the order."
              : "No CA can issue the certificate at present. The operators of the portal can change that."}
          </p>
        </Note>
      )}
      <MarkNotes marks={marks} />
      <LintNote lints={lints} />
    </>
  );
}

/** What was read from the CSR. */
const RequestCard = ({ csr }: { csr: NonNullable<Preflight["csr"]> }) => (
  <Card title="What the CSR states">
    <DescriptionList
      hideEmpty
      items={[
        ...requestFacts(csr),
        { term: "Key size", detail: `${csr.keyAlgorithm}, ${csr.keySize} bits` },
        { term: "Key fingerprint (SHA-256)", detail: <HexPairs value={csr.keyFingerprint} /> },
        { term: "Signature", detail: csr.signatureAlgorithm },
      ]}
    />
  </Card>
);

/** Every field of the certificate that would come out. */
const CertificateToBe = ({ fields }: { fields: NonNullable<Preflight["certificate"]> }) => (
  <Card title="The certificate that would come out">
    <DescriptionList
      items={fields.map(({ name, isCritical, values }) => ({
        term: isCritical ? `${name} (critical)` : name,
        detail: <span className="lines">{values.join("\n")}</span>,
      }))}
    />
  </Card>
);

/** What an order with the CSR would come to. It takes the focus with scripts. */
export function PreflightResult({ preflight }: { preflight: Preflight }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), [preflight]);
  return (
    <section className="stack" aria-labelledby="result" tabIndex={-1} ref={box}>
      <h2 id="result">Result</h2>
      <Verdict preflight={preflight} />
      {preflight.csr && <RequestCard csr={preflight.csr} />}
      {preflight.certificate && <CertificateToBe fields={preflight.certificate} />}
    </section>
  );
}
