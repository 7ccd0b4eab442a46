import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import {
  AddPartnersCard,
  CopyPartnersCard,
  PartnersTable,
  PublishCard,
  ReadinessNote,
  RenewalsCard,
} from "~/components/certificates/partners";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DownloadLink } from "~/components/ui/download-link";
import { PageHeader } from "~/components/ui/page-header";
import { type SessionUser } from "~/domain/accounts/session-user";
import { setPartnersOfRenewals } from "~/domain/certificates/partners/following.service.server";
import {
  COPY_FORM,
  COPY_LABELS,
  FOLLOW_FORM,
  FOLLOW_LABELS,
  PARTNERS_FORM,
  PARTNERS_LABELS,
  PUBLISH_FORM,
  PUBLISH_LABELS,
} from "~/domain/certificates/partners/partners-fields";
import {
  type AddedPartners,
  addPartners,
  copyPartners,
  findPartners,
  removePartner,
} from "~/domain/certificates/partners/partners.service.server";
import { preparePublication, publishToPartners } from "~/domain/certificates/partners/publishing.service.server";
import {
  addPartnersValidator,
  copyPartnersValidator,
  followValidator,
  publishValidator,
} from "~/domain/certificates/validators";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

type Intent = "add" | "copy" | "follow" | "publish" | "remove";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  try {
    const page = await findPartners(user, id);
    if (!page) throw await noSuchCertificate(request, user, id);
    return json(page);
  } catch (error) {
    if (!isPortalError(error)) throw error;
    throw await redirectWithToast(request, paths.certificateDetails(id), { kind: "warn", text: error.message });
  }
}

/** Adds partners or those of another certificate, publishes to them after a question, removes one, or chooses what renewals do. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  const submitted = await readForm(request);
  const work = WORK[intentOf<Intent>(submitted, ["add", "copy", "follow", "publish", "remove"])];
  try {
    return await work(request, { user, id, submitted });
  } catch (error) {
    if (isPortalError(error) && error.status === 404) throw await noSuchCertificate(request, user, id);
    throw error;
  }
}

interface Submission {
  user: SessionUser;
  id: number;
  submitted: FormData;
}

/** Returns a refusal as a form to correct. Throws the error when there is no such certificate. */
function refusedForm(error: unknown, typed: Record<string, unknown>, formId: string): Response {
  if (isPortalError(error) && error.status === 404) throw error;
  return refused(error, typed, formId);
}

const addedText = ({ added, known }: AddedPartners): string =>
  `Partners that were added: ${added}.${known > 0 ? ` The certificate had ${known} of them already.` : ""}`;

async function add(request: Request, { user, id, submitted }: Submission): Promise<Response> {
  const form = await addPartnersValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const text = addedText(await addPartners(user, id, form.data.partners));
    return await redirectWithToast(request, certificatePaths.partners(id), { kind: "ok", text });
  } catch (error) {
    return refusedForm(error, form.submittedData, PARTNERS_FORM);
  }
}

async function copy(request: Request, { user, id, submitted }: Submission): Promise<Response> {
  const form = await copyPartnersValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const text = addedText(await copyPartners(user, id, form.data.from));
    return await redirectWithToast(request, certificatePaths.partners(id), { kind: "ok", text });
  } catch (error) {
    return refusedForm(error, form.submittedData, COPY_FORM);
  }
}

async function follow(request: Request, { user, id, submitted }: Submission): Promise<Response> {
  const form = await followValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const { switchDays } = form.data;
  try {
    await setPartnersOfRenewals(user, id, switchDays);
    const text =
      switchDays === null
        ? "Renewals wait until somebody publishes them."
        : `Renewals are published by themselves, with the switch planned after ${counted(switchDays, "day")}.`;
    return await redirectWithToast(request, certificatePaths.partners(id), { kind: "ok", text });
  } catch (error) {
    return refusedForm(error, form.submittedData, FOLLOW_FORM);
  }
}

async function remove(request: Request, { user, id, submitted }: Submission): Promise<Response> {
  const partnerId = submitted.get("partnerId");
  try {
    const words = await removePartner(user, id, readId(typeof partnerId === "string" ? partnerId : ""));
    const text = `${words} has been removed.`;
    return await redirectWithToast(request, certificatePaths.partners(id), { kind: "ok", text });
  } catch (error) {
    if (!isPortalError(error) || error.field === undefined) throw error;
    const toast = { kind: "warn", text: error.message } as const;
    return redirectWithToast(request, certificatePaths.partners(id), toast);
  }
}

async function publish(request: Request, { user, id, submitted }: Submission): Promise<Response> {
  const form = await publishValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, PUBLISH_FORM);
  try {
    if (submitted.get("confirmed") !== "yes") {
      const { words } = await preparePublication(user, id, form.data);
      return json({ asked: { intent: "publish", cutOverOn: form.data.cutOverOn }, words });
    }
    const { sent, limited } = await publishToPartners(user, id, form.data);
    const rest = limited.length > 0 ? ` Too many messages today, try again tomorrow: ${limited.join(", ")}.` : "";
    const text = `The certificate has been published to ${counted(sent, "partner")}.${rest}`;
    const toast = { kind: limited.length > 0 ? "warn" : "ok", text } as const;
    return await redirectWithToast(request, certificatePaths.partners(id), toast);
  } catch (error) {
    return refusedForm(error, form.submittedData, PUBLISH_FORM);
  }
}

const WORK: Record<Intent, (request: Request, submission: Submission) => Promise<Response>> = {
  add,
  copy,
  follow,
  publish,
  remove,
};

interface Answer {
  asked?: Record<string, string>;
  words?: string[];
}

/** The partners of a certificate: who they are, what they have answered, and the forms that add them and publish the certificate. */
export default function CertificatePartners() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const words = answer?.words ?? [];
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Publish to partners"
      question={`Do you want to send the certificate for ${page.commonName} to ${counted(words.length, "partner")}?`}
      confirmLabel="Publish"
      variant="primary"
      details={
        <>
          <p>Each gets a message with a link to a page with the certificate:</p>
          <ul>
            {words.map((word) => (
              <li key={word}>
                <bdi>{word}</bdi>
              </li>
            ))}
          </ul>
        </>
      }
    >
      <div className="stack-l">
        <ErrorSummary formId={PARTNERS_FORM} labels={PARTNERS_LABELS} />
        <ErrorSummary formId={PUBLISH_FORM} labels={PUBLISH_LABELS} />
        <ErrorSummary formId={COPY_FORM} labels={COPY_LABELS} />
        <ErrorSummary formId={FOLLOW_FORM} labels={FOLLOW_LABELS} />
        <PageHeader
          title={`Partners of ${page.commonName}`}
          back={{ to: paths.certificateDetails(page.certificateId), label: `Certificate ${page.certificateId}` }}
        >
          Your partners have to trust a new certificate before you switch to it. Name them here, publish the certificate
          to them, and see who has confirmed it.
        </PageHeader>
        <ReadinessNote {...page} />
        {page.mayChange && <PublishCard {...page} />}
        {(page.partners.length > 0 || !page.mayChange) && <PartnersTable {...page} />}
        {page.mayChange && <AddPartnersCard key={page.partners.length} />}
        <CopyPartnersCard sources={page.sources} />
        {page.mayChange && <RenewalsCard {...page} />}
        <p>
          <DownloadLink href={certificatePaths.partnerKit(page.certificateId)}>Files for partners, ZIP</DownloadLink>:
          what partners find on their page, for those whom you tell yourself.
        </p>
        {page.barrier && <p className="hint">{page.barrier}</p>}
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Partners of ${data?.commonName ?? "a certificate"}`);
