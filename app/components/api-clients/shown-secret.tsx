import { type ShownSecret } from "~/domain/api-clients/management.server";
import { type ClientKind } from "~/domain/api-clients/scopes.policy";
import { accountPaths } from "~/lib/account-paths";
import { LinkButton } from "../ui/buttons";
import { CopyButton } from "../ui/copy-button";
import { DescriptionList } from "../ui/description-list";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";

/** The secret of an API client, which is shown once only. */
export function ShownSecretPage({ kind, shown }: { kind: ClientKind; shown: ShownSecret }) {
  return (
    <div className="narrow stack-l">
      <PageHeader title="The secret of the API client" />
      <Note tone="warn" title="This secret is shown only now.">
        <p>Give it to the program, or store it where only the program can read it. Nobody can show it again.</p>
      </Note>
      {shown.isRequested && (
        <Note title="A second user administrator has been asked.">
          <p>The client gets the scopes that write when the request is approved.</p>
        </Note>
      )}
      <DescriptionList
        items={[
          { term: "Client id", detail: <span className="mono">{shown.clientId}</span> },
          { term: "Client secret", detail: <span className="mono">{shown.secret}</span> },
        ]}
      />
      <CopyButton value={shown.secret} label="Copy the secret" />
      <p>
        <LinkButton to={accountPaths.apiClient(kind, shown.id)} variant="primary">
          I have stored the secret
        </LinkButton>
      </p>
    </div>
  );
}
