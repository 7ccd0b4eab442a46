import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { DataTable } from "~/components/lists/data-table";
import { pageTitle } from "~/components/shell/page-title";
import { SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { followedEntities, unfollowEntity } from "~/domain/codes/certificates/following.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  return json({ followed: await followedEntities(user) });
}

/** Ends the messages about an entity. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const codeId = (await readForm(request)).get("codeId");
  try {
    await unfollowEntity(user, readId(typeof codeId === "string" ? codeId : ""));
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return redirectWithToast(request, certificatePaths.followed, { kind: "warn", text: error.message });
  }
  const text = "You get no more messages about this entity.";
  return redirectWithToast(request, certificatePaths.followed, { kind: "ok", text });
}

/** The entities of the register of whose changes the user is told. */
export default function FollowedEntities() {
  const { followed } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title="Entities that you follow" back={{ to: paths.dashboard }}>
        You get a message when the certificates of these entities change.
      </PageHeader>
      <DataTable
        caption="Entities that you follow"
        columns={[
          {
            key: "code",
            label: "Code",
            rowHeader: "short",
            cell: ({ fullCode, href }) => <Link to={href}>{fullCode}</Link>,
          },
          { key: "entityName", label: "Entity Name", cell: ({ entityName }) => <bdi>{entityName}</bdi> },
          { key: "company", label: "Company", cell: ({ company }) => <bdi>{company}</bdi> },
          { key: "status", label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
          { key: "since", label: "Since", cell: ({ followedAt }) => <Time value={followedAt} /> },
          {
            key: "stop",
            label: "Stop",
            cell: ({ id, fullCode }) => (
              <Form method="post">
                <CsrfField />
                <input type="hidden" name="codeId" value={id} />
                <SubmitButton intent="unfollow" variant="quiet" small>
                  Stop<span className="vh"> the messages about {fullCode}</span>
                </SubmitButton>
              </Form>
            ),
          },
        ]}
        rows={followed}
        rowKey={({ id }) => id}
        empty="You follow no entity. Search the register, open the certificates of an entity, and choose 'Tell me when it changes'."
      />
    </div>
  );
}

export const meta = pageTitle("Entities that you follow");
