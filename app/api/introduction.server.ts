import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { STEP_UP } from "~/domain/accounts/factors/step-up.server";
import { KNOWN_DAYS } from "~/domain/accounts/login-places.server";
import { TICKET_SECONDS, TOKEN_SECONDS } from "~/domain/accounts/tokens/api-tokens.service.server";
import { acmeUrls } from "~/domain/acme/urls.server";
import { CLIENT_TOKEN_SECONDS } from "~/domain/api-clients/client-user.server";
import { type Limit, LIMITS, listLimits, limitTime } from "~/domain/limits/tries.server";
import { FORM_LIMITS } from "~/http/limits";
import { accountPaths } from "~/lib/account-paths";
import { getConfig } from "~/lib/config.server";
import { DEEPEST } from "./body.server";
import { TAKEN_DATES } from "./dates";
import { IDEMPOTENCY_HEADER } from "./idempotency.server";
import { PAGE_SIZE } from "./paging";
import { PROBLEMS } from "./responses.server";
import { CONFIRM_PATH } from "./step-up.server";

const per = (limit: Limit): string => {
  const { points, duration } = LIMITS[limit];
  return `${points} in ${duration === 60 ? "a minute" : limitTime(limit)}`;
};

const problems = () =>
  Object.entries(PROBLEMS)
    .map(([status, { meaning, codes, others }]) => {
      const named = codes.map((code) => `\`${code}\``).join(", ");
      return `${status} | ${meaning} | ${named}${others ? `, or ${others}` : ""}`;
    })
    .join("\n");

const address = (url: string) => `## Address, paths and bodies

The heading of each call is its method and its path below \`${url}/api/\`. Paths are case-insensitive.
\`GET\` takes its fields in the query, \`POST\` a JSON object as \`application/json\` (only \`POST token\` takes a form), at most
${FORM_LIMITS.bytes / 1024} KB and ${DEEPEST} levels deep. Unknown fields and
duplicate members or parameters are refused. The query of a \`POST\`, and other fields in the form of \`POST token\` or in the query of the certificate
repository, are ignored. Markup is removed from texts, as on the pages. Every answer has an \`X-Request-Id\`: give it when you ask the portal's staff about a call.`;

const token = (url: string) => `## Getting a token

Most calls need an access token; each call says whether it does, and which right it requires. Request a token with the email address and password of an account:

\`\`\`
curl ${url}/api/token -d grant_type=password \\
  --data-urlencode username=you@example.com --data-urlencode password='your password'
\`\`\`

Send the \`access_token\` of the answer with every other call, in the header \`Authorization: Bearer …\`. Cookies are ignored. A token is valid for
${TOKEN_SECONDS / 3600} hours (\`expires_in\`, in seconds) and is not renewed: request another one. It ends earlier with \`POST token/revoke\`, and when the password is
changed, or the account is disabled or merged into another one; then calls are answered with 401.

A program that runs on its own uses an API client, which owners of a company and user administrators make on the pages. It sends its secret in the header, never in the address:

\`\`\`
curl ${url}/api/token -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials
\`\`\`

Its token is valid for ${CLIENT_TOKEN_SECONDS / 3600} hour and has the scopes of the client. Each call says which scope it needs, or that it is for people only.

An administrator acts as a user with \`grant_type=login_as_user\`, \`userId\`, the \`authString\` that the list of users makes, and the administrator's own
token in the header. A refusal of \`POST token\` is not wrapped. As in OAuth 2 it has \`error\` and \`error_description\`,
and \`authenticateUserResult\` when the login itself is refused.

A token of a person is for the company in which the person works when it is issued. When the person has left that company since, or has chosen another one in the portal, every call is answered with 403 and \`company.changed\`: get a new token.

An account that has something to do first (missing details, an expired password, several accounts to be merged) gets a token, but most calls are answered with 403 and \`account.duty\`. \`UserRegistration/RegisterUserAdvancedDetails\` completes a registration; an expired password is changed by
\`UserSecurity/ChangePassword\` with the \`changePasswordToken\` of the token's answer. A new password has ${getConfig().accounts.passwordMinLength} to 50 characters.

Some calls of staff ask who uses the program: revocations for others and the banner. They are answered with 403 and \`${STEP_UP}\` when the token was issued more than ${PROOF_MINUTES} minutes ago: make \`POST ${CONFIRM_PATH}\` and send them again.`;

const TICKETS = `## Downloads and tickets

A file is sent without the wrapper; a refusal is wrapped, except that the public repository answers in plain text when it has no such file. When no header can be sent, as in a link for a browser, add a ticket to the address as \`access_token\`.
\`POST token/ticket\` makes it. It is valid for one \`GET\` within ${TICKET_SECONDS} seconds, even if that is refused, and ends with the token that it was made with. The token itself is accepted there too, but more people and programs see an address than a header.`;

const answers = () => `## Answers and refusals

Every other answer is a JSON object, the wrapper. \`success\` says whether the call was carried out. \`responseContent\` has the result described with each call; it is null
when the call is refused. \`responseText\` is usually empty; otherwise it has a remark, or the reason for a refusal. A refusal has an \`errorCode\` for programs. It has
\`errors\` when fields are the reason, whatever its status and code: an object of messages by the field's path, such as \`email\`, \`order.csr\` or \`contacts.0.name\`.
It has \`rules\` when a CSR is the reason: each rule that the CSR breaks, with its code, the advice, the section of the practice statement and the standard behind it.

\`\`\`
{"success":false,"responseContent":null,"responseText":"The request has fields that are not valid.",
 "errors":{"order.purchaseOrderNumber":"This field is required."},"errorCode":"request.invalid"}
\`\`\`

Status | Meaning | errorCode
--- | --- | ---
${problems()}

Each call lists the statuses that it can answer with. An unknown path is answered with 404 as \`application/problem+json\`; a wrong method with 405, \`Allow\` and \`request.method\`.
Some calls answer a refusal with 200 in their content: see \`success\` (or \`succeeded\`) and \`userMessage\` (or \`error\`, \`message\`, \`item2\`) there.`;

const VALUES = `## Values

Each field says whether it is required; other fields can be omitted. An omitted text can also be sent as null, empty or a single space, an omitted country of a search as \`-1\`, an omitted date as
\`01/01/0001\` or \`0001-01-01T00:00:00\`. Spaces around a text are removed before its length is checked.

All dates and times are UTC. They are answered as \`YYYY-MM-DDTHH:mm:ssZ\`: the time of a date is \`00:00:00\`, \`updatedAt\` also has milliseconds, and
\`0001-01-01T00:00:00\` means that there is none. They are accepted as ${TAKEN_DATES}; a timestamp may have another offset than \`Z\`. Another format is refused with a message that names these. Amounts are
in euro, as numbers with up to two decimals. \`item1\`, \`item2\` and \`item3\` are the parts of an answer without names of its own; each call describes them.`;

const LISTS = `## Long lists

A list is answered in pages of at most ${PAGE_SIZE} rows. \`pageSize\` asks for fewer, \`page\` for a later page, counted from 1. A page with fewer than \`pageSize\` rows is the last one; pages after it are empty.`;

const limits = () => `## Sending again, and limits

\`POST\` calls that place an order take an \`${IDEMPOTENCY_HEADER}\`: when no answer arrives, send the same request with the same key again, and only one order is placed. Other \`POST\` calls have no such key: first check
the result of an unanswered call, e.g. with \`codes/getcodes\`.

An account has ${per("api-account")}, calls without a token ${per("api-address")} from one network. Fewer are allowed for calls that could be used to guess something or that ask another service.
Pages and calls share these limits. Above a limit the answer is 429, with \`Retry-After\` in seconds. A network is an IPv4 address or the first 64 bits of an IPv6 address.
The files of the certificate repository have no limit.

What is counted | At most | Within
--- | --- | ---
${listLimits()
  .map((row) => row.join(" | "))
  .join("\n")}

Five wrong passwords in a row lock an account, for 15 minutes and longer each time; they are answered with \`6:AccountLocked\`. A program in a network where the account was logged in within the
last ${KNOWN_DAYS} days has five tries of its own: wrong passwords from other networks do not stop it.

After ${LIMITS["key-account"].points} CSRs with keys that cannot be used, every CSR of the account is refused for an hour. When the portal cannot reach its data, the answer is 503, also with \`Retry-After\`.

For every call, a request with several Host headers or a path that cannot be decoded is refused with 400, and one with more than 16 KB of headers with 431, in the wrapper and with the code \`request.malformed\`.`;

const example = (url: string) => `## An example

From a CSR to the certificate, with curl and jq:

\`\`\`
PORTAL=${url}
TOKEN=$(curl -s $PORTAL/api/token -d grant_type=password --data-urlencode username=you@example.com \\
  --data-urlencode password='your password' | jq -r .access_token)
call() { curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }

# What the CSR asks for, or in item2 what is wrong with it.
jq -Rs '{ csr: . }' request.csr | call $PORTAL/api/certificates/DecodeCsrWithValidation -d @- | jq .responseContent

# An order; CompletePurchaseJourney below says what order.json holds.
ORDER=$(call $PORTAL/api/certificates/CompletePurchaseJourney -H "${IDEMPOTENCY_HEADER}: $(openssl rand -hex 16)" \\
  -d @order.json | jq .responseContent.orderId)

# Its certificate, once its certificateStatus is Issued.
ID=$(call $PORTAL/api/certificates/getcertificates | jq ".responseContent[] | select(.orderId == $ORDER) | .id")
FILE="$PORTAL/api/Certificates/DownloadMyCertificate?certificateId=$ID&certificateType=PEM&fileExtension=PEM"
call "$FILE" > certificate.pem

# The same by a ticket, for a link that carries no token.
TICKET=$(call $PORTAL/api/token/ticket -d '{}' | jq -r .responseContent.ticket)
curl -s "$FILE&access_token=$TICKET" > certificate.pem
\`\`\``;

const acme = (url: string) => `## ACME

Programs such as certbot need none of these calls: the portal is an ACME server (RFC 8555), and its directory is \`${acmeUrls.directory()}\`. An account needs a key of a standing authorisation.
Owners of a company make it on the page 'Automate with ACME' of the [standing authorisation](${url}${accountPaths.standingAuthorisations}), which also has the lines for the common programs. \`docs/automation.md\`
among the portal's documents says more.`;

/** Returns the introduction of the API reference as Markdown. `url` is the portal's address. */
export const introduction = (url: string): string =>
  [
    "The portal's functions for programs: what its pages do, by the same rules.",
    ...[address(url), token(url), TICKETS, answers(), VALUES, LISTS, limits(), acme(url), example(url)],
  ].join("\n\n");
