import { type CompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { AnswersFor, LastUsed } from "../api-clients/client-list";
import { type Column } from "../lists/table-columns";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { Part } from "./company-parts";

type RowOf<Name extends "clients" | "invitations"> = NonNullable<CompanyPage[Name]>["rows"][number];

const CLIENTS: readonly Column<RowOf<"clients">>[] = [
  { key: "name", label: "API client", rowHeader: true, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: "state", label: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { key: "answers", label: "Answers for it", cell: (client) => <AnswersFor {...client} /> },
  { key: "used", label: "Last used", cell: ({ lastUsedAt }) => <LastUsed value={lastUsedAt} /> },
];

const INVITATIONS: readonly Column<RowOf<"invitations">>[] = [
  { key: "email", label: "Invited", rowHeader: true, cell: ({ email }) => <bdi>{email}</bdi> },
  { key: "role", label: "Role", cell: ({ role }) => role },
  { key: "by", label: "By", cell: ({ by }) => <bdi>{by}</bdi> },
  { key: "until", label: "Can be used until", cell: ({ expiresAt }) => <Time value={expiresAt} withTime /> },
];

/** Who else has access to a company, or may get it: its API clients and its open invitations. */
export const AccessParts = ({ company: { clients, invitations } }: { company: CompanyPage }) => (
  <>
    <Part caption="Open invitations" part={invitations} columns={INVITATIONS} rowKey={({ id }) => id} empty="None" />
    <Part caption="API clients" part={clients} columns={CLIENTS} rowKey={({ id }) => id} empty="No API clients" />
  </>
);
