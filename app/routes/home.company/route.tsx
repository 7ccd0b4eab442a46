import { Form, useLoaderData } from "@remix-run/react";
import { MembersTable, OnlyOwnerStays } from "~/components/companies/members-table";
import { RolesList } from "~/components/companies/roles-list";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { SelectField } from "~/components/forms/select-field";
import { TextField } from "~/components/forms/text-field";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { type InvitationView } from "~/domain/companies/invitations.service.server";
import { isLastOwner, ROLE_NAMES, ROLES } from "~/domain/companies/roles.policy";
import { invitationValidator } from "~/domain/companies/validators";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { FORM, LABELS } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

const INVITED: readonly Column<InvitationView>[] = [
  { key: "email", label: "Email", rowHeader: true, cell: ({ email }) => <bdi>{email}</bdi> },
  { key: "role", label: "Role", cell: ({ role }) => ROLE_NAMES[role] },
  { key: "by", label: "Invited by", cell: ({ by }) => <bdi>{by}</bdi> },
];

const INVITATIONS: readonly Column<InvitationView>[] = [
  ...INVITED,
  { key: "until", label: "Can be used until", cell: ({ expiresAt }) => <Time value={expiresAt} withTime /> },
  {
    key: "withdraw",
    label: "Withdraw",
    cell: ({ id, email }) => (
      <Form method="post">
        <CsrfField />
        <SubmitButton name="withdraw" value={String(id)} variant="secondary" small>
          Withdraw<span className="vh"> the invitation of {email}</span>
        </SubmitButton>
      </Form>
    ),
  },
];

const UNUSED: readonly Column<InvitationView>[] = [
  ...INVITED,
  { key: "ended", label: "Ended", cell: ({ expiresAt }) => <Time value={expiresAt} withTime /> },
  {
    key: "again",
    label: "Invite again",
    cell: ({ email, role }) => (
      <Form method="post">
        <CsrfField />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="role" value={role} />
        <SubmitButton variant="secondary" small>
          Invite<span className="vh"> {email}</span> again
        </SubmitButton>
      </Form>
    ),
  },
];

const OPTIONS = ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }));

/** The company in which the user works, with its members. Owners invite, change and remove them here. */
export default function Company() {
  const { company, role, facts, members, invitations, unused, mayChange } = useLoaderData<typeof loader>();
  const own = members.find(({ isSelf }) => isSelf);
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} labels={LABELS} />
      <PageHeader
        title="Your company"
        back={{ to: paths.userManagement, label: "User Details" }}
        actions={
          <>
            <LinkButton to={paths.domains}>Domains</LinkButton>
            <LinkButton to={accountPaths.standingAuthorisations}>Standing authorisations</LinkButton>
            {mayChange && <LinkButton to={accountPaths.apiClients("company")}>API clients</LinkButton>}
            {mayChange && <LinkButton to={accountPaths.webhooks}>Webhooks</LinkButton>}
          </>
        }
      >
        <p>
          Certificates, ID codes and orders belong to {company}, not to one person. Your role in it is{" "}
          {ROLE_NAMES[role]}.
        </p>
      </PageHeader>
      <MembersTable members={members} mayChange={mayChange} />
      {invitations.length > 0 && (
        <DataTable
          caption="Open invitations"
          columns={INVITATIONS}
          rows={invitations}
          rowKey={({ id }) => String(id)}
          empty="No open invitations"
        />
      )}
      {unused.length > 0 && (
        <DataTable
          caption="Invitations that nobody used"
          columns={UNUSED}
          rows={unused}
          rowKey={({ id }) => String(id)}
        />
      )}
      <div className="pairs">
        {mayChange && (
          <Card title="Invite a colleague">
            <p>
              The colleague gets a message with a link, which can be used once within 7 days, by an account with this
              address.
            </p>
            <PortalForm
              key={invitations.at(-1)?.id}
              id={FORM}
              validator={invitationValidator}
              defaultValues={{ role: "reader" }}
            >
              <TextField name="email" label={LABELS.email} type="email" autoComplete="off" maxLength={200} required />
              <SelectField name="role" label={LABELS.role} options={OPTIONS} required />
              <ButtonRow>
                <SubmitButton busyText="Inviting…">Invite</SubmitButton>
              </ButtonRow>
            </PortalForm>
          </Card>
        )}
        <Card title="What each role may do">
          <RolesList />
          <p className="hint">Each role may also do all that stands below it.</p>
        </Card>
        <Card title="Company details">
          <DescriptionList items={facts} />
          <p className="hint">
            Owners change the addresses and the VAT number in their user details. Only an administrator can change the
            name of the company and a number that is saved.
          </p>
        </Card>
      </div>
      {own &&
        (isLastOwner(own, members) ? (
          <OnlyOwnerStays isAlone={members.length === 1} />
        ) : (
          <p>
            <LinkButton to={paths.companyMember(own.id)}>Leave the company</LinkButton>
          </p>
        ))}
    </div>
  );
}

export const meta = pageTitle("Your company");
