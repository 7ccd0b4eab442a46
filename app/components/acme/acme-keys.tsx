import { Form, Link } from "@remix-run/react";
import { type ClientLines } from "~/domain/acme/client-lines";
import { ACME_KEY_FORM, ACME_KEY_LABELS, LONGEST_KEY_DESCRIPTION, type ShownAcmeKey } from "~/domain/acme/keys";
import { type AcmeKeyView } from "~/domain/acme/keys.service.server";
import { acmeKeyValidator } from "~/domain/acme/validators";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { TextField } from "../forms/text-field";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { ConfirmStep } from "../ui/confirm-step";
import { CopyButton } from "../ui/copy-button";
import { DescriptionList } from "../ui/description-list";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { ClientLinesCard } from "./client-lines";

/** A key that was made just now, with the lines for clients. */
export type ShownKey = ShownAcmeKey & { clients: readonly ClientLines[] };

/** A new key, which is shown once only. */
function ShownKeyPage({ shown, standingId }: { shown: ShownKey; standingId: number }) {
  return (
    <div className="narrow stack-l">
      <PageHeader title="The new ACME key" />
      <Note tone="warn" title="This key is shown only now.">
        <p>Give it to one program, which makes one account with it. Nobody can show it again.</p>
      </Note>
      <DescriptionList
        items={[
          { term: "Server", detail: <span className="mono">{shown.directory}</span> },
          { term: "Key identifier", detail: <span className="mono">{shown.keyId}</span> },
          { term: "MAC key", detail: <span className="mono">{shown.secret}</span> },
        ]}
      />
      <CopyButton value={shown.secret} label="Copy the MAC key" />
      <ClientLinesCard clients={shown.clients}>
        <p>Copy the lines for your program. They have this key and one of your hosts; put in the host that you want.</p>
      </ClientLinesCard>
      <p>
        <LinkButton to={accountPaths.acmeKeys(standingId)} variant="primary">
          I have stored the key
        </LinkButton>
      </p>
    </div>
  );
}

const columnsOf = (standingId: number, mayChange: boolean): readonly Column<AcmeKeyView>[] => [
  {
    key: "description",
    label: "Key",
    rowHeader: true,
    cell: ({ description, keyId }) => (
      <div>
        <bdi>{description}</bdi>
        <span className="sub mono">{keyId}</span>
      </div>
    ),
  },
  {
    key: "state",
    label: "State",
    cell: ({ state }) => (
      <div>
        <StatusBadge status={state} />
        {state === "Paused" && <span className="sub">Nobody answers for it</span>}
      </div>
    ),
  },
  {
    key: "made",
    label: "Made",
    cell: ({ madeAt, madeBy }) => (
      <div>
        <Time value={madeAt} withTime />
        <span className="sub">
          by <bdi>{madeBy}</bdi>
        </span>
      </div>
    ),
  },
  {
    key: "used",
    label: "Last use",
    cell: ({ usedAt }) => (usedAt === null ? "Never" : <Time value={usedAt} withTime />),
  },
  {
    key: "lines",
    label: "Automate",
    cell: ({ id, state, description }) =>
      state === "Unused" || state === "Active" ? (
        <Link to={accountPaths.acmeLines(standingId, id)}>
          Lines <span className="vh">for {description}</span>
        </Link>
      ) : null,
  },
  ...(mayChange ? [{ key: "revoke", label: "Revoke", cell: RevokeButton }] : []),
];

function RevokeButton({ id, state, description }: AcmeKeyView) {
  if (state === "Revoked") return null;
  return (
    <Form method="post">
      <CsrfField />
      <input type="hidden" name="key" value={id} />
      <SubmitButton intent="revoke" variant="secondary" aria-label={`Revoke ${description}`}>
        Revoke
      </SubmitButton>
    </Form>
  );
}

/** The question before a key is revoked. */
export interface AskedKeyRevocation {
  intent: "revoke";
  key: string;
}

interface Props {
  standingId: number;
  /** Whether the standing authorisation is in force. */
  isActive: boolean;
  /** The address of the directory. */
  directory: string;
  keys: readonly AcmeKeyView[];
  mayChange: boolean;
  asked: AskedKeyRevocation | undefined;
  /** A key that was made just now. */
  shown: ShownKey | undefined;
  /** The lines for clients with one of the keys, or null when none can be used. */
  automate: { key: string; clients: readonly ClientLines[] } | null;
}

/** The ACME keys of a standing authorisation, with a form that makes one. */
export function AcmeKeys({ standingId, isActive, directory, keys, mayChange, asked, shown, automate }: Props) {
  if (shown) return <ShownKeyPage shown={shown} standingId={standingId} />;
  const named = keys.find(({ id }) => String(id) === asked?.key);
  return (
    <ConfirmStep
      asked={asked && { ...asked }}
      title="Revoke ACME key"
      question="Are you sure you wish to revoke this key? The account that was made with it ends, too. Its certificates stay valid."
      confirmLabel="Revoke"
      cancelTo={accountPaths.acmeKeys(standingId)}
      details={
        <p>
          <bdi>{named?.description}</bdi>
        </p>
      }
    >
      <div className="stack-l">
        <ErrorSummary formId={ACME_KEY_FORM} labels={ACME_KEY_LABELS} />
        <PageHeader
          title="Automate with ACME"
          back={{ to: accountPaths.standingAuthorisation(standingId), label: `Standing authorisation ${standingId}` }}
        >
          <p>
            Programs such as certbot order and renew certificates under the standing authorisation by themselves (ACME,
            RFC 8555). Each program makes its account with a key of its own, once. You answer for what is ordered with
            the keys that you make.
          </p>
          <p>
            Server: <span className="mono">{directory}</span>
          </p>
          <p>
            Your programs can also be told what happens, by <Link to={accountPaths.webhooks}>webhooks</Link>. A program
            or a person who has the key of a certificate can <Link to={paths.reportKey}>report it as compromised</Link>,
            without an account.
          </p>
        </PageHeader>
        {keys.some(({ state }) => state === "Paused") && (
          <Note tone="warn" title="Paused keys can do nothing.">
            <p>
              Whoever made them is no owner any more or cannot log in. Make a new key for each program that is still
              needed, make a new account with it, and revoke the old key.
            </p>
          </Note>
        )}
        <DataTable
          caption={`ACME keys of standing authorisation ${standingId}`}
          columns={columnsOf(standingId, mayChange)}
          rows={keys}
          rowKey={({ id }) => String(id)}
          empty="No ACME keys"
        />
        {automate && (
          <ClientLinesCard clients={automate.clients}>
            <p>
              Copy the lines for your program. They have the key “<bdi>{automate.key}</bdi>” and one of your hosts; put
              in the MAC key that you have stored in the place of MAC_KEY, and the host that you want.
            </p>
          </ClientLinesCard>
        )}
        {mayChange && isActive && (
          <Card title="New key">
            <PortalForm id={ACME_KEY_FORM} validator={acmeKeyValidator}>
              <TextField
                name="description"
                label={ACME_KEY_LABELS.description}
                hint="The program or machine that gets the key."
                maxLength={LONGEST_KEY_DESCRIPTION}
                required
              />
              <ButtonRow>
                <SubmitButton intent="make" busyText="Making the key…">
                  Make the key
                </SubmitButton>
              </ButtonRow>
            </PortalForm>
          </Card>
        )}
        {!isActive && <p className="hint">The standing authorisation is not in force, so no key can be made.</p>}
      </div>
    </ConfirmStep>
  );
}
