import { Link } from "@remix-run/react";
import { type ApiClientView } from "~/domain/api-clients/client-list.service.server";
import { beyondTexts, type ClientKind } from "~/domain/api-clients/scopes.policy";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

/** Why a user administrator whose rights allow no scope can make no client. */
export const NO_SCOPE =
  "You can make no API client: it may do only what you may do, and your rights allow none of the scopes. A colleague with the right Admin can make one.";

/** The scopes of a client, each on a line. A sentence after them says which do not count, and why. */
export const ScopeList = ({ scopes, beyond }: Pick<ApiClientView, "scopes" | "beyond">) =>
  scopes.length === 0 ? (
    "None yet"
  ) : (
    <div>
      {scopes.map((scope) => (
        <span key={scope} className="sub mono">
          {scope}
        </span>
      ))}
      {beyondTexts(scopes, beyond).map((text) => (
        <span key={text} className="sub">
          {text}
        </span>
      ))}
    </div>
  );

/** Who answers for a client. Whoever did, and may not any more, is named as such. */
export const AnswersFor = ({ responsible, isAnsweredFor }: Pick<ApiClientView, "responsible" | "isAnsweredFor">) =>
  isAnsweredFor ? (
    <bdi>{responsible}</bdi>
  ) : (
    <span>
      Nobody, formerly <bdi>{responsible}</bdi>
    </span>
  );

/** Why the last use of a client can be later than the one that pages show. */
export const USE_NOTED = "The last use is recorded at most every five minutes.";

/** When a client was last used, to the minute. */
export const LastUsed = ({ value }: { value: string | null }) => <Time value={value} withTime toMinute />;

const columnsFor = (kind: ClientKind): readonly Column<ApiClientView>[] => [
  {
    key: "name",
    label: "Client",
    rowHeader: true,
    cell: ({ id, name, clientId }) => (
      <div>
        <Link to={accountPaths.apiClient(kind, id)}>
          <bdi>{name}</bdi>
        </Link>
        <span className="sub mono">{clientId}</span>
      </div>
    ),
  },
  { key: "state", label: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { key: "scopes", label: "Scopes", cell: (client) => <ScopeList {...client} /> },
  { key: "networks", label: "Networks", cell: ({ networks }) => networks.join(", ") || "Everywhere" },
  { key: "lastDay", label: "Last day", cell: ({ lastDay }) => <Time value={lastDay} /> },
  {
    key: "used",
    label: "Last used",
    cell: ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt === null ? (
        "Never"
      ) : (
        <div>
          <LastUsed value={lastUsedAt} />
          <span className="sub">{lastUsedAddress}</span>
        </div>
      ),
  },
  { key: "responsible", label: "Answers for it", cell: (client) => <AnswersFor {...client} /> },
];

interface Props {
  kind: ClientKind;
  clients: readonly ApiClientView[];
  /** Whether the user may make and change clients. */
  mayChange: boolean;
  /** Whether the user's rights allow no scope to a new client. */
  lacksScopes: boolean;
  back: { to: string; label: string };
}

/** The API clients of a company or of staff. */
export function ClientList({ kind, clients, mayChange, lacksScopes, back }: Props) {
  return (
    <div className="stack-l">
      <PageHeader
        title="API clients"
        back={back}
        actions={
          mayChange &&
          !lacksScopes && (
            <LinkButton to={accountPaths.newApiClient(kind)} variant="primary">
              New API client
            </LinkButton>
          )
        }
      >
        <p>
          An API client is a program with a secret of its own. It makes the <Link to={paths.apiDocs}>calls</Link> that
          its scopes allow, {kind === "staff" ? "as staff" : "for your company"}, and never approves or grants anything.
        </p>
        <p>{USE_NOTED}</p>
        {mayChange && lacksScopes && <p>{NO_SCOPE}</p>}
      </PageHeader>
      <DataTable
        caption="API clients"
        columns={columnsFor(kind)}
        rows={clients}
        rowKey={({ id }) => String(id)}
        empty="No API clients"
      />
    </div>
  );
}
