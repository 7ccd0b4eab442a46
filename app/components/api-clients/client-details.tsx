import { Form } from "@remix-run/react";
import { type ApiClientView, type SecretView } from "~/domain/api-clients/client-list.service.server";
import { CLIENT_FORM, latestEnd, SECRET_FORM } from "~/domain/api-clients/forms";
import { type ShownSecret } from "~/domain/api-clients/management.server";
import { type ClientKind } from "~/domain/api-clients/scopes.policy";
import { apiClientValidator, newSecretValidator } from "~/domain/api-clients/validators";
import { accountPaths } from "~/lib/account-paths";
import { CsrfField } from "../forms/csrf-field";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { HiddenField } from "../forms/portal-field";
import { RadioField } from "../forms/radio-field";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { ConfirmStep } from "../ui/confirm-step";
import { DescriptionList } from "../ui/description-list";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";
import { Badge, StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { CLIENT_LABELS, ClientFields } from "./client-fields";
import { AnswersFor, LastUsed, ScopeList, USE_NOTED } from "./client-list";
import { ShownSecretPage } from "./shown-secret";

const SECRET_COLUMNS: readonly Column<SecretView>[] = [
  {
    key: "made",
    label: "Made",
    rowHeader: true,
    cell: ({ createdAt, isValid }) => (
      <div>
        <Time value={createdAt} withTime /> {isValid && <Badge tone="ok">Valid</Badge>}
      </div>
    ),
  },
  {
    key: "used",
    label: "Last token",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} withTime /> : "None"),
  },
  {
    key: "until",
    label: "Valid until",
    cell: ({ endsAt }) => (endsAt ? <Time value={endsAt} withTime /> : "You end it"),
  },
];

const END: Column<SecretView> = {
  key: "end",
  label: "End",
  cell: ({ id, isValid, createdAt }) =>
    isValid && (
      <Form method="post">
        <CsrfField />
        <input type="hidden" name="intent" value="end-secret" />
        <SubmitButton name="secret" value={String(id)} variant="secondary" small>
          End
          <span className="vh">
            {" "}
            the secret made <Time value={createdAt} withTime />
          </span>
        </SubmitButton>
      </Form>
    ),
};

const OVERLAP_CHOICES = [
  { value: "until-ended", label: "Until I end it" },
  { value: "a-week", label: "For a week" },
  { value: "a-day", label: "For a day" },
  { value: "now", label: "It ends now", hint: "Requests with the old secret fail at once." },
];

/** Makes a new secret. The other one stays valid meanwhile, so that no request fails. */
function NewSecretCard({ secrets, isAnsweredFor, isOwn }: ApiClientView) {
  const others = isAnsweredFor ? secrets.filter(({ isValid }) => isValid).length : 0;
  const hasOther = others > 0;
  if (others > 1)
    return (
      <Card title="New secret">
        <p>The client has two valid secrets. End one of them before you make a new one.</p>
      </Card>
    );
  return (
    <Card title="New secret">
      {isAnsweredFor ? (
        <p>
          Give the new secret to the program.
          {hasOther && " When its old secret is no longer used, end that one."}
        </p>
      ) : (
        <p>
          With a new secret you answer for the client, which can be used again. Its other secrets end at once, because
          whoever answered for it before may know them.
        </p>
      )}
      <PortalForm
        id={SECRET_FORM}
        validator={newSecretValidator}
        defaultValues={{ newest: String(secrets.at(-1)?.id ?? ""), overlap: "until-ended" }}
      >
        <HiddenField name="newest" />
        {hasOther ? (
          <RadioField name="overlap" legend="How long the old secret stays valid" options={OVERLAP_CHOICES} />
        ) : (
          <HiddenField name="overlap" />
        )}
        {isAnsweredFor && !isOwn && <p className="hint">You answer for the client from then on.</p>}
        <ButtonRow>
          <SubmitButton intent="secret">Make a new secret</SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}

const factsOf = (client: ApiClientView) => [
  { term: "State", detail: <StatusBadge status={client.state} /> },
  { term: "Client id", detail: <span className="mono">{client.clientId}</span> },
  { term: "Scopes", detail: <ScopeList {...client} /> },
  { term: "Allowed networks", detail: client.networks.join(", ") || "Everywhere" },
  { term: "Last day of use", detail: <Time value={client.lastDay} /> },
  { term: "Answers for it", detail: <AnswersFor {...client} /> },
  { term: "Last used", detail: client.lastUsedAt && <LastUsed value={client.lastUsedAt} /> },
  { term: "From", detail: client.lastUsedAddress },
  { term: "Made", detail: <Time value={client.createdAt} withTime /> },
];

const valuesOf = ({ name, scopes, networks, lastDay }: ApiClientView) => ({
  name,
  scopes,
  networks: networks.join("\n"),
  lastDay,
});

/** Names what ends, and says when nothing is left to log in with. */
function EndDetails({ asked, client }: { asked: AskedEnd | undefined; client: ApiClientView }) {
  const secret = client.secrets.find(({ id }) => String(id) === asked?.secret);
  const isOnlyOne = secret?.isValid && client.secrets.filter(({ isValid }) => isValid).length === 1;
  return (
    <>
      <p>
        <bdi>{client.name}</bdi>
        {secret && (
          <>
            , the secret made <Time value={secret.createdAt} withTime />
          </>
        )}
      </p>
      {isOnlyOne && (
        <Note tone="warn" title="This is the only valid secret.">
          <p>The program cannot log in until you make a new one.</p>
        </Note>
      )}
    </>
  );
}

/** The question before a client or one of its secrets ends. */
export interface AskedEnd {
  intent: "revoke" | "end-secret";
  secret?: string;
}

const QUESTIONS = {
  revoke: {
    title: "Revoke API client",
    question: "Are you sure you wish to revoke this client? Its secrets and tokens end at once and for ever.",
    confirmLabel: "Revoke",
  },
  "end-secret": {
    title: "End secret",
    question: "Are you sure you wish to end this secret? The program can no longer use it, nor its tokens.",
    confirmLabel: "End the secret",
  },
} as const;

interface Props {
  kind: ClientKind;
  client: ApiClientView;
  mayChange: boolean;
  asked: AskedEnd | undefined;
  /** A secret that was made just now. */
  shown: ShownSecret | undefined;
}

/** The page of a client: what it may do, its secrets, and the forms that change them. A client that was revoked has no forms. */
export function ClientDetails({ kind, client, mayChange, asked, shown }: Props) {
  if (shown) return <ShownSecretPage kind={kind} shown={shown} />;
  const isOpen = mayChange && client.state !== "Revoked";
  return (
    <ConfirmStep
      asked={asked && { ...asked }}
      {...QUESTIONS[asked?.intent ?? "revoke"]}
      cancelTo={accountPaths.apiClient(kind, client.id)}
      details={<EndDetails asked={asked} client={client} />}
    >
      <div className="stack-l">
        <ErrorSummary formId={SECRET_FORM} />
        <ErrorSummary formId={CLIENT_FORM} order={Object.keys(CLIENT_LABELS)} labels={CLIENT_LABELS} />
        <PageHeader
          title={<bdi>{client.name}</bdi>}
          back={{ to: accountPaths.apiClients(kind), label: "API clients" }}
        />
        {client.state === "No scope" && client.scopes.length > 0 && (
          <Note tone="warn" title="This client can do nothing now.">
            <p>Its scopes are beyond the rights of whoever answers for it, or made its secret.</p>
          </Note>
        )}
        <DataTable
          caption="Secrets"
          columns={isOpen ? [...SECRET_COLUMNS, END] : SECRET_COLUMNS}
          rows={client.secrets}
          rowKey={({ id }) => String(id)}
        />
        <Card title="The client">
          <DescriptionList items={factsOf(client)} />
          <p className="hint">{USE_NOTED}</p>
        </Card>
        {isOpen && (
          <div className="pairs">
            <NewSecretCard {...client} />
            <Card title="Change">
              <PortalForm id={CLIENT_FORM} validator={apiClientValidator} defaultValues={valuesOf(client)}>
                <ClientFields kind={kind} latest={latestEnd()} beyond={client.beyond} held={client.scopes} />
                <ButtonRow>
                  <SubmitButton intent="change">Save</SubmitButton>
                </ButtonRow>
              </PortalForm>
            </Card>
          </div>
        )}
        {isOpen && (
          <Form method="post">
            <CsrfField />
            <ButtonRow>
              <SubmitButton intent="revoke" variant="caution">
                Revoke the client
              </SubmitButton>
            </ButtonRow>
          </Form>
        )}
      </div>
    </ConfirmStep>
  );
}
