import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { DOMAIN_COLUMNS, DomainName } from "~/components/domains/domain-parts";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextField } from "~/components/forms/text-field";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { ADD_DOMAIN_FORM, CONFIRMED_YEARS } from "~/domain/companies/domains/challenge";
import { controlText, type DomainView } from "~/domain/companies/domains/domain-view.server";
import {
  addDomain,
  getDomainFor,
  listDomainsFor,
  listEndedFor,
} from "~/domain/companies/domains/domains.service.server";
import { addDomainValidator as validator } from "~/domain/companies/domains/validators";
import { mayAsMember, roleNamesFor } from "~/domain/companies/roles.policy";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";

const LABELS = { domain: "Domain or mailbox" } as const;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-company");
  const mayChange = mayAsMember(user, "manage-company") && user.impersonator === null;
  const atOrders = controlText();
  const [domains, ended] = [await listDomainsFor(user), await listEndedFor(user)];
  return json({ company: user.company, domains, ended, mayChange, atOrders });
}

/** Adds a domain or mailbox, and leads to its page. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const id = await addDomain(user, form.data.domain);
    const { name } = await getDomainFor(user, id);
    const text = `${name} was added. It counts when it is confirmed.`;
    return await redirectWithToast(request, accountPaths.domain(id), { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, ADD_DOMAIN_FORM);
  }
}

const nameColumn = (mayChange: boolean): Column<DomainView> => ({
  key: "name",
  label: "Domain or mailbox",
  rowHeader: true,
  cell: (domain) =>
    mayChange ? (
      <Link to={accountPaths.domain(domain.id)}>
        <DomainName {...domain} />
      </Link>
    ) : (
      <DomainName {...domain} />
    ),
});

const ENDED_COLUMNS: readonly Column<DomainView>[] = [
  { key: "name", label: "Domain or mailbox", rowHeader: true, cell: (domain) => <DomainName {...domain} /> },
  { key: "method", label: "Confirmed by", cell: ({ confirmedBy }) => confirmedBy },
  { key: "ended", label: "Ended", cell: ({ endedAt }) => <Time value={endedAt} /> },
  { key: "why", label: "Why", cell: ({ endedWhy }) => endedWhy },
];

/** The domains and mailboxes of the company in which the user works. Owners add them here. */
export default function Domains() {
  const { company, domains, ended, mayChange, atOrders } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={ADD_DOMAIN_FORM} labels={LABELS} />
      <PageHeader title="Domains" back={{ to: paths.company, label: "Your company" }}>
        <p>
          A confirmed domain covers everything below it, and its mailboxes; one that a file has confirmed covers only
          the host with its name. A confirmation counts for {counted(CONFIRMED_YEARS, "year")}. {atOrders}
        </p>
      </PageHeader>
      <DataTable
        caption={`Domains and mailboxes of ${company}`}
        columns={[nameColumn(mayChange), ...DOMAIN_COLUMNS]}
        rows={domains}
        rowKey={({ id }) => String(id)}
        empty="No domains"
      />
      {ended.length > 0 && (
        <DataTable
          caption="Confirmations that have ended"
          columns={ENDED_COLUMNS}
          rows={ended}
          rowKey={({ id }) => String(id)}
          empty="None"
        />
      )}
      {mayChange ? (
        <Card title="Add a domain or mailbox">
          <PortalForm id={ADD_DOMAIN_FORM} validator={validator}>
            <TextField
              name="domain"
              label={LABELS.domain}
              hint="For example example.com, which covers edi.example.com too, or it@example.com for one mailbox."
              maxLength={320}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
            <ButtonRow>
              <SubmitButton busyText="Adding…">Add</SubmitButton>
            </ButtonRow>
          </PortalForm>
        </Card>
      ) : (
        <p className="hint">Members with the role {roleNamesFor("manage-company")} add and confirm them.</p>
      )}
    </div>
  );
}

export const meta = pageTitle("Domains");
