import { useLoaderData } from "@remix-run/react";
import { AccessParts } from "~/components/companies/access-parts";
import { CompanyCards } from "~/components/companies/company-cards";
import { CompanyNotes, NOTE_LABELS } from "~/components/companies/company-notes";
import {
  CertificatesPart,
  ChecksPart,
  CodesPart,
  HistoryPart,
  InvoicesPart,
  MembersPart,
  OrdersPart,
} from "~/components/companies/company-parts";
import { DomainsPart } from "~/components/companies/domains-part";
import { CompanyLink } from "~/components/companies/names";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { companyList } from "~/domain/companies/staff/company-list";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

/** A company as staff see it. Each part is shown to those whose rights allow it (`company-parts.policy.ts`). */
export default function Company() {
  const { company, list } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} labels={NOTE_LABELS} />
      <PageHeader
        title={<bdi>{company.name}</bdi>}
        back={{ to: companyList.href(list), label: "Back to the companies" }}
      >
        <p>Company {company.id}</p>
      </PageHeader>
      {company.mergedInto && (
        <Note
          title={
            <>
              Merged into <CompanyLink {...company.mergedInto} />
            </>
          }
        >
          <p>
            One person had accounts in both companies and merged them. What this company owned belongs to company{" "}
            {company.mergedInto.id} now.
          </p>
        </Note>
      )}
      {company.endedAt && (
        <Note
          title={
            <>
              This company ended on <Time value={company.endedAt} withTime />.
            </>
          }
        >
          <p>It had no details and owned nothing, and its only member joined another company.</p>
        </Note>
      )}
      <CompanyCards company={company} />
      <MembersPart company={company} />
      <AccessParts company={company} />
      <DomainsPart company={company} />
      <CertificatesPart company={company} />
      <CodesPart company={company} />
      <OrdersPart company={company} />
      <InvoicesPart company={company} />
      <ChecksPart company={company} />
      {company.notes && <CompanyNotes formId={FORM} company={company} />}
      <HistoryPart company={company} />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.company.name ?? "Company");
