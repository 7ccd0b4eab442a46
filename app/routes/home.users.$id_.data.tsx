import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PersonalDataTables } from "~/components/accounts/personal-data";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { readPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { accountPaths } from "~/lib/account-paths";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  await requireStepUp(request, admin, "data");
  const id = readId(params.id);
  return json({ id, data: await readPersonalData(admin, id) });
}

export default function UserData() {
  const { id, data } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader
        title={
          <>
            Data about <bdi>{data.name}</bdi>
          </>
        }
        back={{ to: paths.user(id), label: "Back to the account" }}
      >
        <p>
          Everything that this portal holds about this person, for a person who asks for it in another way. Make sure
          that it is this person who gets it.
        </p>
      </PageHeader>
      <ButtonRow>
        <LinkButton to={accountPaths.userDataFile(id)} reloadDocument variant="primary">
          Download the data
        </LinkButton>
      </ButtonRow>
      <PersonalDataTables data={data} />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `Data about ${data.data.name}` : "Data about a person",
);
