import { KNOWN_DAYS } from "~/domain/accounts/login-places.server";
import { TICKET_SECONDS, TOKEN_SECONDS } from "~/domain/accounts/tokens/api-tokens.service.server";
import { type Limit, LIMITS, listLimits, limitTime } from "~/domain/limits/tries.server";
import { FORM_LIMITS } from "~/http/limits";
import { getConfig } from "~/lib/config.server";
import { DEEPEST } from "./body.server";
import { TAKEN_DATES } from "./dates";
import { IDEMPOTENCY_HEADER } from "./idempotency.server";
import { PAGE_SIZE } from "./paging";
import { PROBLEMS } from "./responses.server";

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

Every call is at \`${url}/api/\` and the path that is its heading, by the method that stands before it. The case of a path does not count.
\`GET\` takes its fields in the query, \`POST\` a JSON object as \`application/json\` (only \`POST token\` takes a form), at most
${FORM_LIMITS.bytes / 1024} KB and ${DEEPEST} levels deep. Fields that a call does not have, and members or parameters that are there twice, are refused; what is not read is
the query of a \`POST\`, and what else stands in the form of \`POST token\` or in the query of the certificate repository. Markup
is taken out of texts, as on the pages. Every answer has an \`X-Request-Id\`: name it when you ask the portal's staff about a call.`;

const token = (url: string) => `## Getting a token

Most calls need an access token; which, and with which right, is said with each. It is got with the email address and password of an account:

\`\`\`
curl ${url}/api/token -d grant_type=password \\
  --data-urlencode username=you@example.com --data-urlencode password='your password'
\`\`\`

Send \`access_token\` of the answer with every other call, in the header \`Authorization: Bearer …\`. Cookies count for nothing. A token holds for
${TOKEN_SECONDS / 3600} hours (\`expires_in\`, in seconds) and is not renewed: ask for another one. It ends earlier by \`POST token/revoke\`, and when the password is
changed, or the account disabled or merged into another one; then calls are answered with 401.

An administrator acts as somebody with \`grant_type=login_as_user\`, \`userId\`, the \`authString\` that the list of users makes, and the administrator's own
token in the header. A refusal of \`POST token\` is not wrapped, but as in OAuth 2: \`error\` and \`error_description\`, with
\`authenticateUserResult\` where the login itself is refused.

An account that has something to do first (details that are missing, a password that has expired, several accounts to be merged) has a token, but most calls
are answered with 403 and \`account.duty\`. \`UserRegistration/RegisterUserAdvancedDetails\` completes a registration; an expired password is changed by
\`UserSecurity/ChangePassword\` with the \`changePasswordToken\` of the token's answer. A new password has ${getConfig().accounts.passwordMinLength} to 50 characters.`;

const TICKETS = `## Downloads and tickets

A file is answered as it is, without the wrapper; a refusal of it is wrapped (that the public repository has no such file is said in plain words). Where no header can be sent, in a link for a browser, the address takes
a ticket as \`access_token\`: \`POST token/ticket\` makes it, it is good for one \`GET\` within ${TICKET_SECONDS} seconds, also when that is refused, and ends with the token that it was made with. The token itself is
taken there too, but an address is seen by more eyes than a header.`;

const answers = () => `## Answers and refusals

Every other answer is a JSON object, the wrapper. \`success\`: whether the call was done; \`responseContent\`: what it answers, as described with each call, null when
it is refused; \`responseText\`: mostly empty, else what is to be said besides, or why the call is refused. A refusal has an \`errorCode\` for programs,
and, whatever its status and code, \`errors\` where fields are the reason: an object of messages by the field's path, such as \`email\`, \`order.csr\` or \`contacts.0.name\`.

\`\`\`
{"success":false,"responseContent":null,"responseText":"The request has fields that are not valid.",
 "errors":{"order.purchaseOrderNumber":"This field is required."},"errorCode":"request.invalid"}
\`\`\`

Status | Meaning | errorCode
--- | --- | ---
${problems()}

With each call stand those of them that it can give. A path that is no call is answered with 404 as \`application/problem+json\`; another method with 405, \`Allow\` and \`request.method\`.
Some calls answer a refusal in their content, with 200: \`success\` (or \`succeeded\`) and \`userMessage\` (or \`error\`, \`message\`, \`item2\`) there say it.`;

const VALUES = `## Values

What is needed stands with each field; other fields can be left out. A text that is not given can also be sent as null, empty or a single space, a country that is searched for as \`-1\`, a date as
\`01/01/0001\` or \`0001-01-01T00:00:00\`. Blanks around a text are taken away; a length is what is left.

All dates and times are UTC. They are answered as \`YYYY-MM-DDTHH:mm:ssZ\`: of a day the time is \`00:00:00\`, \`updatedAt\` has milliseconds besides, and
\`0001-01-01T00:00:00\` says that there is none. They are taken as ${TAKEN_DATES}, a moment also with another offset than \`Z\`; another form is refused with a message that names these. Amounts are
euro, as numbers with up to two decimals. \`item1\`, \`item2\`, \`item3\` are the parts of an answer that has no names of its own; what they are is said with each.`;

const LISTS = `## Long lists

A list is answered at most ${PAGE_SIZE} at a time; \`pageSize\` asks for fewer, \`page\` for the next ones, from 1. A page with fewer than \`pageSize\` is the last one, pages after it are empty.`;

const limits = () => `## Sending again, and limits

\`POST\` calls that place an order take an \`${IDEMPOTENCY_HEADER}\`: when no answer came, send the same request with the same key again, and one order is placed. Other \`POST\` calls have no such key: look
first what became of one that was not answered, e.g. with \`codes/getcodes\`.

An account has ${per("api-account")}, calls without a token ${per("api-address")} from one network. Fewer are allowed where something could be guessed or asks another service.
Pages and calls share these limits. Beyond one of them the answer is 429, with \`Retry-After\` in seconds. A network is an IPv4 address or the first 64 bits of an IPv6 address.
The files of the certificate repository have none.

What is counted | At most | Within
--- | --- | ---
${listLimits()
  .map((row) => row.join(" | "))
  .join("\n")}

Five wrong passwords in a row lock an account, for 15 minutes and longer each time; they are answered with \`6:AccountLocked\`. A program in a network where the account was logged in within the
last ${KNOWN_DAYS} days has five tries of its own: wrong passwords from other networks do not stop it.

After ${LIMITS["key-account"].points} CSRs with keys that cannot be used, every CSR of the account is refused for an hour. When the portal cannot reach its data, the answer is 503, also with \`Retry-After\`.

Whatever the call, a request with several Host headers or a path that cannot be decoded is refused with 400, and one with more than 16 KB of headers with 431, in the wrapper and with the code \`request.malformed\`.`;

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

/** Returns the introduction of the API reference as Markdown. `url` is the portal's address. */
export const introduction = (url: string): string =>
  [
    "The portal's functions for programs: what its pages do, by the same rules.",
    ...[address(url), token(url), TICKETS, answers(), VALUES, LISTS, limits(), example(url)],
  ].join("\n\n");
