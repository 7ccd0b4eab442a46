import {
  type ComparedDetail,
  type CompanyOutcome,
  type DetailName,
} from "~/domain/accounts/consolidation/consolidation.policy";
import { ROLE_NAMES } from "~/domain/companies/roles.policy";
import { RadioField } from "../forms/radio-field";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { NEW_PASSWORD_LABELS, PasswordPair, SecretsAgain } from "./secret-fields";

/** The labels of the details, as in user details, and of the password, in the order of the page. */
export const CONSOLIDATION_LABELS: Readonly<Record<DetailName | "password" | "confirmPassword", string>> = {
  firstName: "First name",
  lastName: "Last name",
  company: "Company",
  position: "Position",
  telephoneNumber: "Telephone",
  companyRegistrationNumber: "Company registration number",
  taxNumber: "Tax registration number",
  companyAddress: "Company address",
  invoicing: "Invoicing address and VAT number",
  mailingAddress: "Mailing address",
  ...NEW_PASSWORD_LABELS,
};
export const CONSOLIDATION_ORDER = Object.keys(CONSOLIDATION_LABELS);

/** The panels of user details (USR-01). */
const PANELS: { title: string; names: DetailName[] }[] = [
  { title: "User Details", names: ["firstName", "lastName", "company", "position", "telephoneNumber"] },
  { title: "Company Details", names: ["companyRegistrationNumber", "taxNumber", "companyAddress"] },
  { title: "Invoicing Address", names: ["invoicing", "mailingAddress"] },
];

const LIST = new Intl.ListFormat("en-GB");

interface Props {
  details: readonly ComparedDetail[];
  /** The accounts' user names by id. */
  usernames: ReadonlyMap<number, string>;
  email: string;
}

/** Asks the user to choose one where the details differ, and shows those that agree. */
export function ConsolidationFields({ details, usernames, email }: Props) {
  return PANELS.map(({ title, names }, index) => {
    const own = details.filter(({ name }) => names.includes(name));
    const agreed = own.filter(({ options }) => options.length === 1);
    const items = agreed.map(({ name, options }) => ({ term: CONSOLIDATION_LABELS[name], detail: options[0]?.text }));
    const shown = index === 0 ? [...items, { term: "Email", detail: email }] : items;
    if (own.length === 0 && shown.length === 0) return null;
    return (
      <Card title={title} key={title}>
        {own.map(
          ({ name, options }) =>
            options.length > 1 && (
              <RadioField
                key={name}
                name={name}
                legend={CONSOLIDATION_LABELS[name]}
                options={options.map(({ accountId, sharedBy, text }) => ({
                  value: String(accountId),
                  label: text,
                  hint: LIST.format(sharedBy.map((id) => usernames.get(id) ?? "")),
                }))}
              />
            ),
        )}
        {shown.length > 0 && <DescriptionList items={shown} />}
      </Card>
    );
  });
}

const APART: Record<NonNullable<CompanyOutcome["apart"]>, (own: string) => string> = {
  colleagues: () => "stays a company of its own, because you have colleagues in it",
  "own-colleagues": (own) =>
    `stays a company of its own, because your colleagues in ${own} are not to see what is yours alone`,
  member: () => "stays a company of its own, because you are a member of it already",
};

/** Returns what the merge does to a company, in sentences. */
function outcomeText({ into, takes, role, formerRole, apart }: CompanyOutcome, own: string): string {
  if (into !== null)
    return `It becomes part of ${into}, which gets its certificates, ID codes, orders, drafts and API clients. Open invitations to it end.`;
  const as = `${role !== formerRole ? "After the merge, your role in it is" : "Your role in it stays"} ${ROLE_NAMES[role]}.`;
  if (takes.length > 0)
    return `It keeps what it owns and gets what ${LIST.format(takes)} ${takes.length === 1 ? "owns" : "own"}. ${as}`;
  const stays = apart === null ? "stays as it is" : APART[apart](own);
  return `It ${stays}. It keeps its details and what it owns. ${as}`;
}

/** Says for each company of the accounts what the merge does to it. The first is the one in which the remaining account works. */
export const CompanyOutcomes = ({ companies }: { companies: readonly CompanyOutcome[] }) => (
  <Card title="What happens to the companies">
    <DescriptionList
      items={companies.map((company) => ({
        term: <bdi>{company.name}</bdi>,
        detail: outcomeText(company, companies[0]?.name ?? ""),
      }))}
    />
  </Card>
);

/** Shown when the password has expired or was set by somebody else (CON-02). */
export function NewPasswordFields({ minLength }: { minLength: number }) {
  return (
    <Card title="Security">
      <p>Your password has expired. Please choose a new one for the account that remains.</p>
      <SecretsAgain secrets="Passwords" />
      <PasswordPair minLength={minLength} />
    </Card>
  );
}
