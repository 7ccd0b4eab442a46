import { json } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Badge } from "~/components/ui/status-badge";
import { type ListedRule, listRules } from "~/domain/certificates/request/rule-page.server";
import { paths } from "~/lib/paths";

export const loader = () => json({ groups: listRules() });

const Rule = ({ code, title, requirement, advice, section, standard, isOff, isMarked }: ListedRule) => (
  <div id={code} className="stack">
    <h3>
      {title} {isOff && <Badge tone="info">Not applied by this CA</Badge>}
      {isMarked && <Badge tone="info">Marked by this CA, not refused</Badge>}
    </h3>
    <p>
      {requirement} {advice}
    </p>
    <p className="hint">
      <a href={section.url}>{section.text}</a>, <a href={standard.url}>{standard.text}</a>, code <code>{code}</code>
    </p>
  </div>
);

/** All rules about CSRs, to which refusals link. */
export default function CsrRules() {
  const { groups } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title="Rules for CSRs" back={{ to: paths.checkCsr, label: "Check a CSR" }}>
        <p>
          An order takes a certificate signing request (CSR) that breaks none of these rules. What breaks one of the
          marks is accepted, but shown to you and to the staff of the CA.
        </p>
      </PageHeader>
      {groups.map(({ title, rules }) => (
        <Card key={title} title={title} className="stack-l">
          {rules.map((rule) => (
            <Rule key={rule.code} {...rule} />
          ))}
        </Card>
      ))}
    </div>
  );
}

export const meta = pageTitle("Rules for CSRs");
