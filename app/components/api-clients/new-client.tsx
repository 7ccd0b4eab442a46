import { CLIENT_FORM } from "~/domain/api-clients/forms";
import { type ShownSecret } from "~/domain/api-clients/management.server";
import { type ClientKind, type ScopeBarriers } from "~/domain/api-clients/scopes.policy";
import { apiClientValidator } from "~/domain/api-clients/validators";
import { accountPaths } from "~/lib/account-paths";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";
import { CLIENT_LABELS, ClientFields } from "./client-fields";
import { NO_SCOPE } from "./client-list";
import { ShownSecretPage } from "./shown-secret";

interface Props {
  kind: ClientKind;
  /** The last day that can be chosen, `yyyy-MM-dd`. */
  latest: string;
  beyond: ScopeBarriers;
  /** Whether they leave no scope at all. */
  lacksScopes: boolean;
  /** The client that was made just now. */
  shown: ShownSecret | undefined;
}

/** The form of a new API client, and after it the secret. */
export function NewClient({ kind, latest, beyond, lacksScopes, shown }: Props) {
  if (shown) return <ShownSecretPage kind={kind} shown={shown} />;
  const back = { to: accountPaths.apiClients(kind), label: "API clients" };
  if (lacksScopes)
    return (
      <div className="narrow stack-l">
        <PageHeader title="New API client" back={back}>
          <p>{NO_SCOPE}</p>
        </PageHeader>
      </div>
    );
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={CLIENT_FORM} order={Object.keys(CLIENT_LABELS)} labels={CLIENT_LABELS} />
      <PageHeader title="New API client" back={back}>
        <p>The next page shows the secret of the client, once. You answer for the client.</p>
      </PageHeader>
      <PortalForm id={CLIENT_FORM} validator={apiClientValidator}>
        <ClientFields kind={kind} latest={latest} beyond={beyond} held={[]} />
        <ButtonRow>
          <SubmitButton busyText="Making the client…">Make the client</SubmitButton>
          <LinkButton to={accountPaths.apiClients(kind)}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}
