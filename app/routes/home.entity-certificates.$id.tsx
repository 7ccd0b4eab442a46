import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import {
  CarriersCard,
  FollowForm,
  FollowHint,
  ENTITY_FORM,
  ENTITY_LABELS,
  PublishAtEntityCard,
  PublishedCard,
} from "~/components/codes/entity-certificates";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import { findEntityPage } from "~/domain/codes/certificates/entity-page.service.server";
import { followEntity, unfollowEntity } from "~/domain/codes/certificates/following.service.server";
import { endPublication, publishAtEntity } from "~/domain/codes/certificates/publishing.service.server";
import { publishAtEntityValidator as validator } from "~/domain/codes/validators";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { errorResponse, invalid, refused } from "~/http/responses.server";
import { requireSearcher } from "~/http/searcher.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { isPortalError, notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

/** Returns the search or the page of the code from which the page was opened. */
function backOf(request: Request): string {
  const from = new URL(request.url).searchParams.get("from") ?? "";
  return [paths.searchCodes, paths.codeDetails()].includes(from.split("?", 1)[0] ?? "") ? from : paths.searchCodes;
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireSearcher(request);
  const page = await findEntityPage(user, readId(params.id));
  if (!page) throw errorResponse(notFound());
  return json({ ...page, back: backOf(request) });
}

/** Publishes certificates at the entity, ends the publication of one, or begins or ends the messages about it. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireSearcher(request);
  const id = readId(params.id);
  const submitted = await readForm(request);
  const here = certificatePaths.entity(id, backOf(request));
  let typed: Record<string, unknown> = {};
  const done = (text: string) => redirectWithToast(request, here, { kind: "ok", text });
  try {
    const intent = intentOf(submitted, ["publish", "end", "follow", "unfollow"]);
    if (intent === "follow") {
      await followEntity(user, id);
      return await done("You get a message when the certificates of this entity change.");
    }
    if (intent === "unfollow") {
      await unfollowEntity(user, id);
      return await done("You get no more messages about this entity.");
    }
    if (intent === "end") {
      const certificateId = submitted.get("certificateId");
      const name = await endPublication(user, id, readId(typeof certificateId === "string" ? certificateId : ""));
      return await done(`The certificate ${name} is not published at this entity any more.`);
    }
    const form = await validator.validate(submitted);
    if (form.error) return invalid(form.error, form.submittedData);
    typed = form.submittedData;
    const { certificateIds, others } = form.data;
    const added = await publishAtEntity(user, id, [...certificateIds, ...others]);
    return await done(`Certificates that were published: ${added}.`);
  } catch (error) {
    if (isPortalError(error) && error.field === "certificateIds") return refused(error, typed, ENTITY_FORM);
    if (!isPortalError(error) || (error.status === 404 && error.field === undefined)) throw error;
    return redirectWithToast(request, here, { kind: "warn", text: error.message });
  }
}

/** An entity of the register with the certificates that its company publishes there, and the forms of the company. */
export default function EntityCertificates() {
  const page = useLoaderData<typeof loader>();
  const { own, oftpId, published } = page;
  return (
    <div className="stack-l">
      <ErrorSummary formId={ENTITY_FORM} labels={ENTITY_LABELS} />
      <PageHeader
        title={`Certificates of ${page.entityName}`}
        back={{ to: page.back }}
        actions={<FollowForm isFollowed={page.isFollowed} />}
      >
        The certificates that the entity publishes in the register. Compare the fingerprint with your partner before you
        trust one.
      </PageHeader>
      <Card title="Entity">
        <DescriptionList
          items={[
            {
              term: "Full code",
              detail: page.details ? <Link to={page.details}>{page.fullCode}</Link> : page.fullCode,
            },
            { term: "OFTP ID", detail: <span className="mono">{oftpId}</span> },
            { term: "Company", detail: <bdi>{page.company}</bdi> },
            { term: "Place", detail: <bdi>{page.place}</bdi> },
            { term: "Status", detail: <StatusBadge status={page.status} /> },
          ]}
        />
      </Card>
      {published.length === 0 && (
        <p>
          {page.status === "Registered"
            ? "The entity publishes no certificate."
            : `The code is ${page.status}: its certificates are not shown.`}
        </p>
      )}
      {published.map((certificate) => (
        <PublishedCard key={certificate.id} certificate={certificate} own={own} />
      ))}
      <FollowHint isFollowed={page.isFollowed} />
      {own && <CarriersCard carriers={own.carriers} oftpId={oftpId} />}
      {own?.mayPublish && <PublishAtEntityCard offered={own.offered} oftpId={oftpId} />}
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Certificates of ${data?.entityName ?? "an entity"}`);
