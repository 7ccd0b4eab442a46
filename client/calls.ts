// Made by `npm run client` out of the description of the JSON calls (/api/openapi.json). Not to be edited.

export interface paths {
    "/api/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An access token, for eight hours
         * @description As in OAuth 2 (RFC 6749 §4.3). Send the token as `Authorization: Bearer …` with every other call. It ends when the password is changed, or the account is disabled or merged into another one. With `login_as_user` an administrator acts as somebody; the administrator's own token goes into the header, and the answered one ends with it, and with the session in which the authString was made. Five wrong passwords in a row lock the account: the fifth is answered with `6:AccountLocked`.
         *
         *     Needs no token. An unforeseen failure has the code OCA0403E.
         */
        post: operations["token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/proxy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A login through an authentication proxy
         * @description For a proxy that the operator trusts: 404 unless one is configured. The proxy brings its secret as `Authorization: Bearer …` and calls from a trusted address. It may name the address of the person who logs in as `Auth-Proxy-Client`; limits and locks then count that person's network. They are those of `token`, and so are the access token and the entries in the audit trail.
         *
         *     Needs no token. An unforeseen failure has the code OCA0403E.
         */
        post: operations["tokenProxy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A ticket for one download within a minute
         * @description Goes into the query of a download as `access_token`, in place of the token: an address is seen by more eyes than a header. The first `GET` uses it up, also one that is refused; it ends with the token that it was made with.
         *
         *     Needs a token.
         */
        post: operations["tokenTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the token that the call is made with, and its tickets
         * @description Needs a token.
         */
        post: operations["tokenRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/GetApiHealthCheck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the portal can work: its database and its issuing authorities answer
         * @description Needs no token. An unforeseen failure has the code OCA0H01L.
         */
        get: operations["UserRegistrationGetApiHealthCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/RegisterUser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a customer
         * @description A message with a link proves the e-mail address. Then ask for a token and complete the registration.
         *
         *     Needs no token. An unforeseen failure has the code OCA0I01E.
         */
        post: operations["UserRegistrationRegisterUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/RegisterUserAdvancedDetails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Completes the registration with the company's details
         * @description Needs a token. An unforeseen failure has the code IMP0801E.
         */
        post: operations["UserRegistrationRegisterUserAdvancedDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/CheckAdvancedDetailsMissing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the registration is still to be completed
         * @description Needs a token. An unforeseen failure has the code IMP0802E.
         */
        get: operations["UserRegistrationCheckAdvancedDetailsMissing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/UpdateUserRegistrationDetails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the caller's details
         * @description What is not needed and left out stays as it is stored; of that, a text that is null, empty or a single space is emptied. What the caller may not change is taken as it is stored. A new password ends every token and session. A new e-mail address holds once the link that is sent to it is used; at once, while the present one is not verified.
         *
         *     Needs a token. An unforeseen failure has the code OCA0F02E.
         */
        post: operations["UserRegistrationUpdateUserRegistrationDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/GetUserDetails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's details
         * @description Needs a token. An unforeseen failure has the code OCA0F01E.
         */
        get: operations["UserRegistrationGetUserDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/GetCountries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All countries by name
         * @description Needs no token. An unforeseen failure has the code OCA0G01E.
         */
        get: operations["UserRegistrationGetCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/GetCountryById": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One country
         * @description Needs no token. An unforeseen failure has the code OCA0F03E.
         */
        get: operations["UserRegistrationGetCountryById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserRegistration/CheckVatNumber": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a VAT number is valid
         * @description `responseText` is `serviceError` when the service of the country does not answer.
         *
         *     Needs a token. An unforeseen failure has the code OCA0F02E.
         */
        get: operations["UserRegistrationCheckVatNumber"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/GetSecurityQuestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The security questions to choose from
         * @description Needs no token. An unforeseen failure has the code OCA0H01E.
         */
        get: operations["UserSecurityGetSecurityQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/GetSecurityQuestion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The security question of the account with this e-mail address
         * @description For an address without an account, always the same question: the answer does not tell whether there is one.
         *
         *     Needs no token. An unforeseen failure has the code OCA0D01E.
         */
        get: operations["UserSecurityGetSecurityQuestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/UserWithEmailExist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether an account has this e-mail address, as a registration would tell
         * @description Counted like a registration: at most twenty an hour.
         *
         *     Needs no token. An unforeseen failure has the code OCA0I01E.
         */
        get: operations["UserSecurityUserWithEmailExist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/RequestPasswordResetEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a reset code by e-mail
         * @description The answer is the same whether there is such an account or not. The link always leads to this portal. A newer code replaces an older one.
         *
         *     Needs no token. An unforeseen failure has the code OCA0C01E.
         */
        post: operations["UserSecurityRequestPasswordResetEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/ValidatePasswordResetData": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks a reset code and the security answer
         * @description Five wrong answers end the code: the fifth is answered with `InvalidResetCode`. Wrong codes use up nothing. `AccountLocked` says that an administrator has locked the account; wrong passwords do not stop a recovery.
         *
         *     Needs no token. An unforeseen failure has the code OCA0D02E.
         */
        post: operations["UserSecurityValidatePasswordResetData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/ChangePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a new password
         * @description Ends every token and session of the account.
         *
         *     Needs no token. An unforeseen failure has the code OCA0E01E.
         */
        post: operations["UserSecurityChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/UpdateLastLogin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers true: the last login was recorded when the token was made
         * @description Needs a token.
         */
        post: operations["UserSecurityUpdateLastLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/UserSecurity/UpdateUsername": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the caller's user name, which is the e-mail address
         * @description The new address holds once the link that is sent to it is used, as with the user details; at once, while the present one is not verified.
         *
         *     Needs a token. An unforeseen failure has the code OCA0F02E.
         */
        post: operations["UserSecurityUpdateUsername"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Configuration/GetVatRate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The VAT rate of the United Kingdom, as a fraction
         * @description Needs no token. An unforeseen failure has the code PIA0303E.
         */
        get: operations["ConfigurationGetVatRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Configuration/GetHomePageConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The banner of the login screen; empty texts when there is none
         * @description Needs no token. An unforeseen failure has the code IMP0C01E.
         */
        get: operations["ConfigurationGetHomePageConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Configuration/SaveHomePageConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets the banner of the login screen
         * @description Needs the right Admin. An unforeseen failure has the code IMP0C01E.
         */
        post: operations["ConfigurationSaveHomePageConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Configuration/SaveConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Saves the parameters of a framed form as the caller's configuration entry
         * @description Needs a token.
         */
        post: operations["ConfigurationSaveConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Log/Log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Writes a line of the caller's program into the portal's log
         * @description Needs a token.
         */
        post: operations["LogLog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadRootCert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The first root's certificate
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadRootCert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadRootCert/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A root's certificate by its hash algorithm (sha1, sha2, sha512) or thumbprint
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadRootCertHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadRootCertPem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The first root's certificate
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadRootCertPem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadRootCertPem/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A root's certificate by its hash algorithm (sha1, sha2, sha512) or thumbprint
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadRootCertPemHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadRootCertDer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The first root's certificate
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadRootCertDer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadRootCertDer/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A root's certificate by its hash algorithm (sha1, sha2, sha512) or thumbprint
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadRootCertDerHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadIssuingCertSha1Der": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The certificate of the issuing CA of the SHA1 hierarchy
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadIssuingCertSha1Der"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadIssuingCertSha1Pem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The certificate of the issuing CA of the SHA1 hierarchy
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadIssuingCertSha1Pem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadIssuingCertSha2Der": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The certificate of the issuing CA of the SHA2 hierarchy
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadIssuingCertSha2Der"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadIssuingCertSha2Pem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The certificate of the issuing CA of the SHA2 hierarchy
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadIssuingCertSha2Pem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadIssuingCertSha512Der": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The certificate of the issuing CA of the SHA512 hierarchy
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadIssuingCertSha512Der"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadIssuingCertSha512Pem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The certificate of the issuing CA of the SHA512 hierarchy
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadIssuingCertSha512Pem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertificatePolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The Certificate Policy
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertificatePolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertificatePractice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The Certification Practice Statement
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertificatePractice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadSubscriberAgreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The Subscriber Agreement
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadSubscriberAgreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListRootSha1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The root's list (SHA1)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListRootSha1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListRootSha2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The root's list (SHA2)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListRootSha2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListRootSha512": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The root's list (SHA512)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListRootSha512"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListIssuingSha1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The issuing CA's base list (SHA1)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListIssuingSha1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListIssuingSha2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The issuing CA's base list (SHA2)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListIssuingSha2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListIssuingSha512": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The issuing CA's base list (SHA512)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListIssuingSha512"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListIssuingCaDeltaSha1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The issuing CA's delta list (SHA1)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListIssuingCaDeltaSha1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListIssuingCaDeltaSha2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The issuing CA's delta list (SHA2)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListIssuingCaDeltaSha2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/CertificateRepository/DownloadCertRevListIssuingCaDeltaSha512": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The issuing CA's delta list (SHA512)
         * @description Needs no token.
         */
        get: operations["CertificateRepositoryDownloadCertRevListIssuingCaDeltaSha512"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/getcertificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's certificates; for administrators everybody's
         * @description The newest first. At most 1000 at a time: a page with fewer than `pageSize` is the last one, and pages after it are empty.
         *
         *     Needs a token. An unforeseen failure has the code OCA0901E.
         */
        get: operations["certificatesGetcertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/getcertificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One certificate, or the order of one
         * @description Needs a token. An unforeseen failure has the code OCA0701E.
         */
        get: operations["certificatesGetcertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/GetPaymentDetails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a certificate's order is paid
         * @description Needs a token. An unforeseen failure has the code OCA0701E.
         */
        get: operations["certificatesGetPaymentDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/GetCertificatePrice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The price of a certificate for one year, in euro without VAT
         * @description Needs a token. An unforeseen failure has the code IMP0B01E.
         */
        get: operations["certificatesGetCertificatePrice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/DecodeCsrWithValidation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decodes a CSR and says whether a certificate can be ordered with it
         * @description Refused, `item1` is null and `item2` says why, rule by rule. Nothing is stored. `responseText` names what the CSR states and no certificate of this CA carries, such as an alternative name of the kind otherName.
         *
         *     Needs a token. An unforeseen failure has the code IMP0B01E.
         */
        post: operations["certificatesDecodeCsrWithValidation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/GetDiscountByPromoCode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a promotion code is worth, in euro
         * @description 0 for a code that is not known, not valid any more, or not 9 or 10 characters long.
         *
         *     Needs the right Applicant. An unforeseen failure has the code IMP0B01E.
         */
        get: operations["certificatesGetDiscountByPromoCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/CompletePurchaseJourney": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Orders a certificate, or the renewal of one
         * @description The technical contact is the caller's account. A renewal takes usage and OFTP ID over from the certificate that it renews and has no
         *     promotion code; whatever is sent for them is ignored.
         *
         *     With an `Idempotency-Key` (1 to 200 visible ASCII characters) an order is placed once: the same request with the same key is answered as before and
         *     orders nothing; another request with it is refused (422). A key is kept for seven days; a refused order does not use it up.
         *
         *     Needs the right Applicant. An unforeseen failure has the code CIA0101E.
         */
        post: operations["certificatesCompletePurchaseJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/GetRenewalState": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the renewal of an order's certificate begins with
         * @description Needs a token. An unforeseen failure has the code IMP0D01E.
         */
        get: operations["certificatesGetRenewalState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/verifyCertificateExpiryDate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether an order's certificate can be renewed for so many years
         * @description `min`: 0 years are not possible; `max`: the total validity would be too long; empty: it can.
         *
         *     Needs a token. An unforeseen failure has the code IMP0B01E.
         */
        get: operations["certificatesVerifyCertificateExpiryDate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes a certificate, or says how it stands
         * @description With `certificateId` only nothing is revoked: the answer says how the certificate stands and, in `error`, why it cannot be revoked.
         *     Revoking cannot be taken back. `succeeded` with an `error`: revoked, but a list or a message is still on its way. What is wrong with reason,
         *     date or description is answered with 422.
         *
         *     Needs a token. An unforeseen failure has the code OCA0F01E.
         */
        post: operations["certificatesRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/GetRevocationReasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The reasons for a revocation
         * @description Needs a token. An unforeseen failure has the code OCA0N01E.
         */
        get: operations["certificatesGetRevocationReasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/certificates/GetRevocationReasonById": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One reason
         * @description Needs a token. An unforeseen failure has the code OCA0N01E.
         */
        get: operations["certificatesGetRevocationReasonById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Certificates/DownloadMyCertificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A certificate
         * @description The first download by its owner turns Issued into Downloaded.
         *
         *     Needs a token. An unforeseen failure has the code OCA0801E.
         */
        get: operations["CertificatesDownloadMyCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Certificates/DownloadCaIssuingCertificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The certificate of the CA that issued a certificate
         * @description Needs a token. An unforeseen failure has the code OCA0801E.
         */
        get: operations["CertificatesDownloadCaIssuingCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Certificates/DownloadCaRootCertificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The root certificate under which certificates are issued now
         * @description Every root, and without a token: CertificateRepository/DownloadRootCert.
         *
         *     Needs a token. An unforeseen failure has the code OCA0801E.
         */
        get: operations["CertificatesDownloadCaRootCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/DownloadCertificateInvoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The invoice of a certificate's order
         * @description Needs a token. An unforeseen failure has the code OCA0701E.
         */
        get: operations["invoicesDownloadCertificateInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getcodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's codes; for administrators everybody's
         * @description In the order in which they were registered. At most 1000 at a time: a page with fewer than `pageSize` is the last one, and pages after it are empty.
         *
         *     Needs a token. An unforeseen failure has the code OCA0B01E.
         */
        get: operations["codesGetcodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getcode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One code with its contacts
         * @description Needs a token. An unforeseen failure has the code OCA0A01E.
         */
        get: operations["codesGetcode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/GetCodeContacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The contacts of a code
         * @description Needs a token. An unforeseen failure has the code OCA0A01E.
         */
        get: operations["codesGetCodeContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getcodesavailable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many paid codes of each type the caller can still register
         * @description Needs a token. An unforeseen failure has the code OCA0B01E.
         */
        get: operations["codesGetcodesavailable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/GetCodeCountForUser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many codes the caller has
         * @description Needs a token. An unforeseen failure has the code IMP0901E.
         */
        get: operations["codesGetCodeCountForUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getAuditLogs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to a code, the latest first
         * @description At most 1000 at a time: a page with fewer than `pageSize` is the last one, and pages after it are empty.
         *
         *     Needs the right Admin. An unforeseen failure has the code OCA0K01E.
         */
        get: operations["codesGetAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getPricings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a code of each type costs, in euro without VAT
         * @description Needs a token. An unforeseen failure has the code IMP0B01E.
         */
        get: operations["codesGetPricings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches the register by code, company, city and country
         * @description One of the fields is needed. For administrators and owners of codes. At most a thousand are found; `responseText` says when there are more. At most 1000 at a time: a page with fewer than `pageSize` is the last one, and pages after it are empty.
         *
         *     Needs a token. An unforeseen failure has the code OCA0J01E.
         */
        get: operations["codesSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/GetCodeStatuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statuses that the caller can give a code
         * @description Needs a token. An unforeseen failure has the code OCA0A01E.
         */
        get: operations["codesGetCodeStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/GetOrderStatuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statuses of a sales order
         * @description Needs a token. An unforeseen failure has the code OCA0L01E.
         */
        get: operations["codesGetOrderStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Codes/UpdateEntity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes a code with its addresses and contacts
         * @description For the code's owner while it is Registered, and for administrators. What is left out stays as it is stored; a text that is null, empty or a single space is emptied. Contacts are changed by their id, and
         *     added without one (or with 0 or less), where one with the same e-mail address is replaced; at most 100 at a time. What the caller may not change is taken as it is
         *     stored. `false`: nothing was saved, because the code was changed meanwhile; `responseText` says in what.
         *
         *     Needs a token. An unforeseen failure has the code OCA0A02E.
         */
        post: operations["CodesUpdateEntity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/registerNewEntity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers an entity: a paid code becomes the caller's
         * @description Only `codeType` and `entityName` are needed. Without an address it is at the company's. It answers the new code.
         *
         *     Needs the right Applicant. An unforeseen failure has the code OCA0A03E.
         */
        post: operations["codesRegisterNewEntity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/registerNewSubEntity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a sub-entity under a code of the caller's
         * @description Only `parentId`, `subcode` and `entityName` are needed. It answers the new code.
         *
         *     Needs the right Applicant. An unforeseen failure has the code OCA0A04E.
         */
        post: operations["codesRegisterNewSubEntity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/checkSubEntityExist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether a code of the caller's has had a sub-entity of this sub-code, whatever became of it
         * @description Needs the right Applicant. An unforeseen failure has the code OCA0A05E.
         */
        post: operations["codesCheckSubEntityExist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/completePurchaseJourney": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Orders codes of one type
         * @description They can be registered once the order is paid. A quantity outside 1 to 999 is answered with 400.
         *
         *     With an `Idempotency-Key` (1 to 200 visible ASCII characters) an order is placed once: the same request with the same key is answered as before and
         *     orders nothing; another request with it is refused (422). A key is kept for seven days; a refused order does not use it up.
         *
         *     Needs the right Applicant. An unforeseen failure has the code CIA0101E.
         */
        post: operations["codesCompletePurchaseJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/purchaseCode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Orders codes of one type, invoiced to the account's own address
         * @description They can be registered once the order is paid. A quantity outside 1 to 999 is answered with 400.
         *
         *     With an `Idempotency-Key` (1 to 200 visible ASCII characters) an order is placed once: the same request with the same key is answered as before and
         *     orders nothing; another request with it is refused (422). A key is kept for seven days; a refused order does not use it up.
         *
         *     Needs the right Applicant. An unforeseen failure has the code CIA0101E.
         */
        post: operations["codesPurchaseCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getSalesOrders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All sales orders: of codes, of certificates and of code maintenance
         * @description The newest first. At most 1000 at a time: a page with fewer than `pageSize` is the last one, and pages after it are empty.
         *
         *     Needs the right Admin. An unforeseen failure has the code OCA0L01E.
         */
        get: operations["codesGetSalesOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/searchSalesOrders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches the sales orders
         * @description The newest first. At most 1000 at a time: a page with fewer than `pageSize` is the last one, and pages after it are empty.
         *
         *     Needs the right Admin. An unforeseen failure has the code OCA0L02E.
         */
        get: operations["codesSearchSalesOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getSalesOrder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One sales order
         * @description Needs the right Admin. An unforeseen failure has the code OCA0M02E.
         */
        get: operations["codesGetSalesOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/updateSalesOrder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes status, invoice, payment and remarks of a sales order
         * @description Answers the order as it is afterwards; the same change made again changes nothing. Money and codes follow the status:
         *
         *     - With `invoiceNumber`, an `invoiceTotal` above 0 and `invoiceDate` it becomes Invoiced, unless Paid is chosen.
         *     - Invoiced without an `invoiceNumber`: the portal issues the invoice, with the next number, today's date and the order's total, and sends it to the customer. Only a credit note takes it back. None is issued where nothing is to be paid, or before the order's certificate is issued.
         *     - Paid: where none is sent or stored, `paymentTotal` is the order's total and `paymentDate` today. Codes become available, and the customer is told.
         *     - No longer Paid: both are emptied, whatever is sent, and the codes are taken back. New `remarks` have to say why: the customer is told, with them as the reason.
         *     - Cancelled: an invoice of the portal is credited at once, with new `remarks` as the reason. The customer is told, with new `remarks` as the reason. Nothing more is changed after that.
         *     - An order whose certificate was rejected or cancelled becomes Cancelled when it is neither Paid nor Invoiced, or no longer Paid.
         *
         *     Needs the right Admin. An unforeseen failure has the code OCA0M01E.
         */
        post: operations["codesUpdateSalesOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/exportCsv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepares a CSV file of sales orders; answers its name, for codes/downloadCsv
         * @description The file is there for an hour, for the caller only.
         *
         *     Needs the right Admin. An unforeseen failure has the code OCA0L03E.
         */
        post: operations["codesExportCsv"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/downloadCsv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A CSV file that codes/exportCsv has prepared
         * @description Needs the right Admin. An unforeseen failure has the code OCA0L03E.
         */
        get: operations["codesDownloadCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/codes/getUserSalesOrders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's orders of codes; for administrators anybody's
         * @description The newest first. At most 1000 at a time: a page with fewer than `pageSize` is the last one, and pages after it are empty.
         *
         *     Needs a token. An unforeseen failure has the code OCA0B01E.
         */
        get: operations["codesGetUserSalesOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/DownloadCodeInvoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The invoice of an order of codes
         * @description Needs a token. An unforeseen failure has the code OCA0B01E.
         */
        get: operations["invoicesDownloadCodeInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Failure: {
            /** @enum {boolean} */
            success: false;
            responseContent: null;
            /** @description Why, for people */
            responseText: string;
            /** @description What is wrong with which field, by its path: `order.csr` */
            errors?: {
                [key: string]: string;
            };
            /** @description Which criteria a field does not meet, by its path. Of `authenticationContact.email`: `other-person`, `company-email`, `own-name` */
            criteria?: {
                [key: string]: {
                    criterion: string;
                    message: string;
                }[];
            };
            /** @description By which rule, for programs */
            errorCode?: string;
        };
    };
    responses: {
        /** @description The request could not be read: no JSON, a member or parameter twice, nested too deeply */
        Refused400: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description No token, or one that is unknown or over */
        Refused401: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                /** @description Bearer, with an error when a token was sent (RFC 6750) */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The caller has not the right, has something to do first, or acts as a user who alone may do it */
        Refused403: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is no such thing, or it is somebody else's */
        Refused404: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Its state does not allow it, or it was changed meanwhile */
        Refused409: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body, or a text with markup in it, is too large */
        Refused413: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is of another type */
        Refused415: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Fields are not valid, or a rule of the portal refuses it */
        Refused422: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Too many calls: `Retry-After` says in how many seconds to try again */
        Refused429: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                /** @description Seconds until it can be tried again */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description An unforeseen failure */
        Refused500: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The portal cannot reach its data at the moment: `Retry-After` says in how many seconds to try again */
        Refused503: {
            headers: {
                /** @description Names this request in the portal's log */
                "X-Request-Id"?: string;
                /** @description Seconds until it can be tried again */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @enum {string} */
                    grant_type: "password" | "login_as_user";
                    /** @description Needed with `password`: the e-mail address */
                    username?: string;
                    /** @description Needed with `password` */
                    password?: string;
                    /** @description Needed with `login_as_user`: made in the list of users, for one use within a minute */
                    authString?: string;
                    /** @description Needed with `login_as_user`: whom to act as */
                    userId?: string;
                };
            };
        };
        responses: {
            /** @description Granted */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        /** @enum {string} */
                        token_type: "bearer";
                        /** @description Seconds */
                        expires_in: number;
                        userId: number;
                        username: string;
                        /** @description Applicant and Admin, comma-separated */
                        rights: string;
                        /**
                         * @description `id:description`
                         * @enum {string}
                         */
                        authenticateUserResult: "0:Success" | "1:PasswordAboutToExpire" | "2:PasswordExpired" | "3:InvalidUsername" | "4:InvalidPassword" | "5:AccountDisabled" | "6:AccountLocked";
                        /** @description When the password has expired or is about to: the `token` for UserSecurity/ChangePassword, for 30 minutes */
                        changePasswordToken?: string;
                    };
                };
            };
            /** @description Refused */
            400: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        error: "invalid_grant" | "invalid_request" | "unsupported_grant_type" | "temporarily_unavailable" | "server_error";
                        error_description: string;
                        /** @enum {string} */
                        authenticateUserResult?: "0:Success" | "1:PasswordAboutToExpire" | "2:PasswordExpired" | "3:InvalidUsername" | "4:InvalidPassword" | "5:AccountDisabled" | "6:AccountLocked";
                    };
                };
            };
            /** @description Refused */
            413: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        error: "invalid_grant" | "invalid_request" | "unsupported_grant_type" | "temporarily_unavailable" | "server_error";
                        error_description: string;
                        /** @enum {string} */
                        authenticateUserResult?: "0:Success" | "1:PasswordAboutToExpire" | "2:PasswordExpired" | "3:InvalidUsername" | "4:InvalidPassword" | "5:AccountDisabled" | "6:AccountLocked";
                    };
                };
            };
            /** @description Refused */
            415: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        error: "invalid_grant" | "invalid_request" | "unsupported_grant_type" | "temporarily_unavailable" | "server_error";
                        error_description: string;
                        /** @enum {string} */
                        authenticateUserResult?: "0:Success" | "1:PasswordAboutToExpire" | "2:PasswordExpired" | "3:InvalidUsername" | "4:InvalidPassword" | "5:AccountDisabled" | "6:AccountLocked";
                    };
                };
            };
            /** @description Refused */
            429: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Seconds until it can be tried again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        error: "invalid_grant" | "invalid_request" | "unsupported_grant_type" | "temporarily_unavailable" | "server_error";
                        error_description: string;
                        /** @enum {string} */
                        authenticateUserResult?: "0:Success" | "1:PasswordAboutToExpire" | "2:PasswordExpired" | "3:InvalidUsername" | "4:InvalidPassword" | "5:AccountDisabled" | "6:AccountLocked";
                    };
                };
            };
            /** @description Refused */
            500: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        error: "invalid_grant" | "invalid_request" | "unsupported_grant_type" | "temporarily_unavailable" | "server_error";
                        error_description: string;
                        /** @enum {string} */
                        authenticateUserResult?: "0:Success" | "1:PasswordAboutToExpire" | "2:PasswordExpired" | "3:InvalidUsername" | "4:InvalidPassword" | "5:AccountDisabled" | "6:AccountLocked";
                    };
                };
            };
            /** @description Refused */
            503: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Seconds until it can be tried again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        error: "invalid_grant" | "invalid_request" | "unsupported_grant_type" | "temporarily_unavailable" | "server_error";
                        error_description: string;
                        /** @enum {string} */
                        authenticateUserResult?: "0:Success" | "1:PasswordAboutToExpire" | "2:PasswordExpired" | "3:InvalidUsername" | "4:InvalidPassword" | "5:AccountDisabled" | "6:AccountLocked";
                    };
                };
            };
        };
    };
    tokenProxy: {
        parameters: {
            query?: never;
            header?: {
                /** @description IP address of the person who logs in */
                "Auth-Proxy-Client"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The e-mail address */
                    username: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Granted */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                        access_token: string;
                        /** @enum {string} */
                        token_type: "bearer";
                        username: string;
                        /** @description Applicant and Admin, comma-separated */
                        rights: string;
                        userId: number;
                    };
                };
            };
            /** @description Refused */
            400: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
            /** @description Refused */
            401: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Bearer, with an error when a token was sent (RFC 6750) */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
            /** @description Refused */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
            /** @description Refused */
            413: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
            /** @description Refused */
            415: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
            /** @description Refused */
            429: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Seconds until it can be tried again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
            /** @description Refused */
            500: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
            /** @description Refused */
            503: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Seconds until it can be tried again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            success: boolean;
                            /** @description The outcome as `id:description`: 0:Success, 1:PasswordAboutToExpire, 2:PasswordExpired, 3:InvalidUsername, 4:InvalidPassword, 5:AccountDisabled, 6:AccountLocked; or a code of the refusal */
                            serverDescription: string;
                            /** @description Why, for people; empty after a success */
                            errorMessage: string;
                        };
                    };
                };
            };
        };
    };
    tokenTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            ticket: string;
                            /** @description Seconds */
                            expiresIn: number;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    tokenRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationGetApiHealthCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationRegisterUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    firstName: string;
                    lastName: string;
                    company: string;
                    position: string;
                    telephoneNumber: string;
                    email: string;
                    /** @description As `email` */
                    confirmEmail: string;
                    /** @description As long as the introduction says, at least */
                    password: string;
                    /** @description As `password` */
                    confirmPassword: string;
                    /** @description One of UserSecurity/GetSecurityQuestions */
                    securityQuestion: string;
                    securityAnswer: string;
                    /** @description Taken in place of `confirmEmail` */
                    confirmationEmail?: string | null;
                    /** @description Taken in place of `confirmPassword` */
                    confirmationPassword?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            success: boolean;
                            /** @description Why not; empty on success */
                            userMessage: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationRegisterUserAdvancedDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Needed of customers while none is stored; once it is stored only administrators change it, and what others send is not read */
                    companyRegistrationNumber?: string | null;
                    /** @description Tax registration number; once it is stored only administrators change it, and what others send is not read */
                    taxNumber?: string | null;
                    /** @description With its prefix, e.g. `DE123456789`; needed where the invoicing address is in an EU member state or the United Kingdom */
                    vatNumber?: string | null;
                    companyAddress: {
                        /** @description Not used */
                        id?: number;
                        street1: string;
                        street2?: string | null;
                        street3?: string | null;
                        city: string;
                        postcode: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                        /** @description Region */
                        subcountryCode?: string | null;
                        /** @description Not used */
                        company?: string | null;
                    };
                    /** @description Left out or null: the company address is used */
                    invoicingAddress?: {
                        /** @description Not used */
                        id?: number;
                        street1: string;
                        street2?: string | null;
                        street3?: string | null;
                        city: string;
                        postcode: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                        /** @description Region */
                        subcountryCode?: string | null;
                        company: string;
                    } | null;
                    /** @description The caller's own, if sent */
                    userId?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            success: boolean;
                            /** @description Why not; empty on success */
                            userMessage: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            /** @description `userId` is somebody else's, the caller has something to do first, or an administrator acts as the user, who alone may change it */
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationCheckAdvancedDetailsMissing: {
        parameters: {
            query?: {
                /** @description Left out: the caller; another one for administrators only */
                userId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            hasDetailsMissing: boolean;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            /** @description `userId` is somebody else's, and the caller no administrator */
            403: components["responses"]["Refused403"];
            /** @description There is no such user */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationUpdateUserRegistrationDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The caller's own, if sent */
                    userId?: number;
                    firstName: string;
                    lastName: string;
                    /** @description What others than administrators send is not read */
                    company?: string | null;
                    jobTitle: string;
                    email: string;
                    phone: string;
                    /** @description Needed of customers while none is stored; once it is stored only administrators change it, and what others send is not read */
                    companyRegistrationNumber?: string | null;
                    /** @description Tax registration number; once it is stored only administrators change it, and what others send is not read */
                    taxNumber?: string | null;
                    /** @description With its prefix, e.g. `DE123456789`; needed where the invoicing address is in an EU member state or the United Kingdom */
                    vatNumber?: string | null;
                    /** @description Whole; left out: as it is stored; null: none, not of customers */
                    companyAddress?: {
                        /** @description Not used */
                        id?: number;
                        street1: string;
                        street2?: string | null;
                        street3?: string | null;
                        city: string;
                        postcode: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                        /** @description Region */
                        subcountryCode?: string | null;
                        /** @description Not used */
                        company?: string | null;
                    } | null;
                    /** @description Whole; left out: as it is stored, or with the company address where it is the same; null: the company address */
                    invoicingAddress?: {
                        /** @description Not used */
                        id?: number;
                        street1: string;
                        street2?: string | null;
                        street3?: string | null;
                        city: string;
                        postcode: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                        /** @description Region */
                        subcountryCode?: string | null;
                        company: string;
                    } | null;
                    /** @description Not stored by this call */
                    mailingAddress?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Not read: the server's own check decides */
                    vatNumberChecked?: boolean | null;
                    /** @description A new password; empty: it stays */
                    password?: string | null;
                    /** @description Another one of UserSecurity/GetSecurityQuestions, with its answer; empty: it stays */
                    securityQuestion?: string | null;
                    securityAnswer?: string | null;
                    /** @description Needed for another e-mail address, password or question */
                    currentPassword?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            success: boolean;
                            /** @description Why not; empty on success */
                            userMessage: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            /** @description `userId` is somebody else's, the caller has something to do first, or an administrator acts as the user, who alone may change it */
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationGetUserDetails: {
        parameters: {
            query?: {
                /** @description Left out: the caller; another one for administrators only */
                userId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            userId: number;
                            firstName: string;
                            lastName: string;
                            company: string;
                            jobTitle: string;
                            email: string;
                            phone: string;
                            vatNumber: string;
                            vatNumberChecked: boolean | null;
                            taxNumber: string;
                            companyRegistrationNumber: string;
                            companyAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            invoicingAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            mailingAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            /** @description `userId` is somebody else's, and the caller no administrator */
            403: components["responses"]["Refused403"];
            /** @description There is no such user */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationGetCountries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @description ISO 3166-1 numeric */
                            id: number;
                            /** @description As `id` */
                            adminId: number;
                            /** @description ISO 3166-1, two letters */
                            iso: string;
                            name: string;
                            printableName: string;
                            euMember: boolean;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationGetCountryById: {
        parameters: {
            query: {
                id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @description ISO 3166-1 numeric */
                            id: number;
                            /** @description As `id` */
                            adminId: number;
                            /** @description ISO 3166-1, two letters */
                            iso: string;
                            name: string;
                            printableName: string;
                            euMember: boolean;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such country */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserRegistrationCheckVatNumber: {
        parameters: {
            query: {
                vatNumber: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityGetSecurityQuestions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: string[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityGetSecurityQuestion: {
        parameters: {
            query: {
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: string;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityUserWithEmailExist: {
        parameters: {
            query: {
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityRequestPasswordResetEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    emailAddress: string;
                    /** @description Not used */
                    resetBaseUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            success: boolean;
                            /** @enum {string|null} */
                            failureReason: "AccountLocked" | "InvalidSecurityAnswer" | "InvalidResetCode" | null;
                            /** @description Why not; empty on success */
                            passwordValidationUserMessage: string;
                            /** @description For UserSecurity/ChangePassword, once, for 30 minutes */
                            token?: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityValidatePasswordResetData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As it was given when the code was asked for */
                    emailAddress: string;
                    resetCode: string;
                    /** @description Needed where the account has a question */
                    securityAnswer?: string | null;
                    /** @description Has no effect: the answer is checked whenever the account has a question */
                    validateSecurityAnswer?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            success: boolean;
                            /** @enum {string|null} */
                            failureReason: "AccountLocked" | "InvalidSecurityAnswer" | "InvalidResetCode" | null;
                            /** @description Why not; empty on success */
                            passwordValidationUserMessage: string;
                            /** @description For UserSecurity/ChangePassword, once, for 30 minutes */
                            token?: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of ValidatePasswordResetData, or `changePasswordToken` of the access token's answer */
                    token: string;
                    password: string;
                    /** @description Needed where the account has no question; one of UserSecurity/GetSecurityQuestions */
                    securityQuestion?: string | null;
                    /** @description Needed where the account has no question */
                    securityAnswer?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            success: boolean;
                            /** @description For the user */
                            message: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityUpdateLastLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Not used */
                    userId?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    UserSecurityUpdateUsername: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The new e-mail address */
                    Username: string;
                    /** @description The caller's own, if sent */
                    UserId?: number;
                    /** @description Of the account; needed for another address */
                    currentPassword?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            success: boolean;
                            /** @description Why not; empty on success */
                            userMessage: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            /** @description `userId` is somebody else's, the caller has something to do first, or an administrator acts as the user, who alone may change it */
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    ConfigurationGetVatRate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: number;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    ConfigurationGetHomePageConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            banner: string;
                            link: string;
                            tooltip: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    ConfigurationSaveHomePageConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    banner: string;
                    link: string;
                    tooltip: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    ConfigurationSaveConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    name: "queryParams";
                    value: string;
                    /** @description The caller's own, if sent */
                    userId?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    LogLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    source: string;
                    /** @enum {string} */
                    severity: "Info" | "Warning" | "Error";
                    message: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadRootCert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadRootCertHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `sha1`, `sha2`, `sha512`, or the SHA-1 or SHA-256 thumbprint in hexadecimal */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadRootCertPem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadRootCertPemHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `sha1`, `sha2`, `sha512`, or the SHA-1 or SHA-256 thumbprint in hexadecimal */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadRootCertDer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadRootCertDerHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `sha1`, `sha2`, `sha512`, or the SHA-1 or SHA-256 thumbprint in hexadecimal */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadIssuingCertSha1Der: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadIssuingCertSha1Pem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadIssuingCertSha2Der: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadIssuingCertSha2Pem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadIssuingCertSha512Der: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-cert": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadIssuingCertSha512Pem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertificatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertificatePractice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadSubscriberAgreement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListRootSha1: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListRootSha2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListRootSha512: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListIssuingSha1: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListIssuingSha2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListIssuingSha512: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListIssuingCaDeltaSha1: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListIssuingCaDeltaSha2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificateRepositoryDownloadCertRevListIssuingCaDeltaSha512: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description The part that was asked for */
            206: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused400"];
            /** @description There is no such file */
            404: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description It is not the version that If-Match or If-Unmodified-Since asks for */
            412: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The part lies outside the file */
            416: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description Strong validator, for If-None-Match, If-Match and If-Range */
                    ETag?: string;
                    /** @description For If-Modified-Since and If-Unmodified-Since */
                    "Last-Modified"?: string;
                    /** @description For how many seconds caches may keep the file */
                    "Cache-Control"?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, and of how many */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetcertificates: {
        parameters: {
            query?: {
                /** @description 1 when left out */
                page?: number;
                /** @description 1000 when left out */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            commonName: string;
                            /** @enum {string} */
                            certificateStatus: "Pending" | "Issued" | "Downloaded" | "Revoked" | "RequestRevoke" | "Expired" | "Renewed" | "Cancelled" | "Rejected" | "Unknown";
                            /** @enum {string} */
                            orderType: "Initial" | "Renewal";
                            /** @description Of the certificate that this one renews or replaces */
                            previousOrderId: number | null;
                            previousCertificateId: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            certificateRequestDate: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            certificateStartDate: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            certificateExpiryDate: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            revocationDate: string;
                            orderId: number;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetcertificate: {
        parameters: {
            query: {
                id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            orderId: number;
                            /** @enum {string} */
                            certificateStatus: "Pending" | "Issued" | "Downloaded" | "Revoked" | "RequestRevoke" | "Expired" | "Renewed" | "Cancelled" | "Rejected" | "Unknown";
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            certificateExpiryDate: string;
                            /** @description Whether one that is Renewed may be renewed again */
                            allowRenewal: boolean;
                            /** @description The SSID was typed with the order, not stated by the CSR */
                            isManualSsid: boolean;
                            ssid: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            revocationDate: string;
                            /** @description `HH:mm:ss`, UTC; empty when there is none */
                            revocationTime: string;
                            /**
                             * @description Empty when there is none
                             * @enum {string}
                             */
                            revocationReason: "Unspecified" | "Key Compromised" | "Affiliation Changed" | "Superseded" | "";
                            revocationDescription: string;
                            commonName: string;
                            email: string;
                            /** @description City */
                            location: string;
                            state: string;
                            /** @description Organisation unit */
                            department: string;
                            /** @description ISO 3166-1, two letters */
                            country: string;
                            organisation: string;
                            csr: {
                                state: string;
                                /** @description What its subject says; the OFTP ID, wherever it stands, is `ssid` */
                                deviceSerialNumber: string;
                                /** @description The subject's alternative names */
                                subjectAlternateName: {
                                    /**
                                     * @description 0 Other, 1 Rfc822 (e-mail), 2 Dns, 3 X400, 4 EdiPartyName, 5 DirectoryName, 6 SSID, 61 URI, 7 Ip, 8 RegisteredId
                                     * @enum {integer}
                                     */
                                    type: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 61 | 7 | 8;
                                    value: string;
                                }[];
                            };
                            /** @description Null while there is no certificate */
                            x509CertificateLite: {
                                /** @description Hexadecimal pairs with colons */
                                serialNumber: string;
                                /** @description Moment in UTC, `YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none */
                                startDate: string;
                                /** @description Moment in UTC, `YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none */
                                endDate: string;
                                /** @description Of X.509: 3 */
                                formatVersion: number;
                                /** @description SHA-1, likewise */
                                thumbprint: string;
                                /** @description By the names of RFC 5280 §4.2.1.3 */
                                keyUsage: string[];
                                /** @description By the names of RFC 5280 §4.2.1.12 */
                                enhancedKeyUsage: string[];
                                /** @description Bits */
                                keySize: number;
                                signatureAlgorithm: string;
                                issuerName: string;
                            } | null;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such certificate, or it is somebody else's */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetPaymentDetails: {
        parameters: {
            query: {
                orderId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @description Whether it is paid */
                            item1: boolean;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            item2: string;
                            /** @description Invoice number; empty when there is none */
                            item3: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such order of a certificate, or it is somebody else's */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetCertificatePrice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: number;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesDecodeCsrWithValidation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description PKCS#10 as PEM, or base64 of the DER */
                    csr: string;
                    /** @description Also refuse a key that belongs to any certificate or order already, as a renewal does */
                    checkUniqueness?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @description What the CSR asks for; null when it is refused */
                            item1: {
                                commonName: string;
                                organisation: string;
                                organisationUnit: string;
                                city: string;
                                state: string;
                                country: string;
                                email: string;
                                /** @description The OFTP ID that the CSR states; empty when it states none */
                                deviceSerialNumber: string;
                                /** @description The subject's alternative names */
                                subjectAlternateName: {
                                    /**
                                     * @description 0 Other, 1 Rfc822 (e-mail), 2 Dns, 3 X400, 4 EdiPartyName, 5 DirectoryName, 6 SSID, 61 URI, 7 Ip, 8 RegisteredId
                                     * @enum {integer}
                                     */
                                    type: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 61 | 7 | 8;
                                    value: string;
                                }[];
                            } | null;
                            /** @description Error message; empty when it is fine */
                            item2: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetDiscountByPromoCode: {
        parameters: {
            query: {
                promoCode: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @description Discount in euro */
                            item1: number;
                            /** @description The code was used already */
                            item2: boolean;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesCompletePurchaseJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new text for each order; the same one when it is sent again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The order whose certificate is renewed; left out: a new certificate */
                    previousOrderId?: number | null;
                    authenticationContact: {
                        name: string;
                        company: string;
                        position: string;
                        email: string;
                        addressLine1: string;
                        addressLine2?: string | null;
                        city: string;
                        postalCode: string;
                        phoneNumber: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                    };
                    order: {
                        purchaseOrderNumber: string;
                        /** @description PKCS#10 as PEM, or base64 of the DER */
                        csr: string;
                        /** @description `false`: all four usages, whatever the next ones say. At least one is needed */
                        showUsageAttributes?: boolean | null;
                        /** @description TLS; left out: true, like the next three */
                        hasSecureSession?: boolean | null;
                        hasEmail?: boolean | null;
                        hasEncryption?: boolean | null;
                        hasFileSigning?: boolean | null;
                        /** @description OFTP ID (SSID), where the CSR states none, or the same: O, four digits, then letters, digits, spaces and hyphens; at least 9 */
                        oftpid?: string | null;
                        /**
                         * @description Years; 1 when left out; 0 of a renewal only
                         * @enum {integer|null}
                         */
                        validityPeriod?: 0 | 1 | 2 | 3 | 4 | null;
                        /** @description Promotion code of 9 or 10 characters */
                        promoCode?: string | null;
                        /** @enum {boolean} */
                        termsAndConditionsAccepted: true;
                    };
                    invoiceAddress: {
                        name: string;
                        company: string;
                        email: string;
                        addressLine1: string;
                        addressLine2?: string | null;
                        city: string;
                        postalCode: string;
                        phoneNumber: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                        /** @description VAT number with its prefix, e.g. `DE123456789`; needed where the country is an EU member or the United Kingdom */
                        vat?: string | null;
                        /** @description Not stored */
                        position?: string | null;
                        /** @description Not used: `countryId` says it */
                        country?: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            orderId: number;
                            /** @description Whether the confirmation to the account's own address went out at once; false also while it waits for that address to be confirmed */
                            isNotified: boolean;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no order `previousOrderId`, or it is somebody else's */
            404: components["responses"]["Refused404"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetRenewalState: {
        parameters: {
            query: {
                orderId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            orderId: number;
                            certificateId: number;
                            commonName: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            certificateExpiryDate: string;
                            authenticationContact: {
                                name: string;
                                company: string;
                                position: string;
                                email: string;
                                addressLine1: string;
                                addressLine2: string;
                                city: string;
                                postalCode: string;
                                /** @description -1 when it is not known */
                                countryId: number;
                                phoneNumber: string;
                            };
                            hasSecureSession: boolean;
                            hasEmail: boolean;
                            hasEncryption: boolean;
                            hasFileSigning: boolean;
                            oftpid: string;
                            /** @description What can be chosen, and to which date it leads */
                            validityPeriods: {
                                /** @description Years */
                                validityPeriod: number;
                                /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                                certificateExpiryDate: string;
                                /** @description Why so many years cannot be chosen; empty when they can */
                                message: string;
                            }[];
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such order of a certificate, or it is somebody else's */
            404: components["responses"]["Refused404"];
            /** @description Its certificate cannot be renewed now, or a field is not valid */
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesVerifyCertificateExpiryDate: {
        parameters: {
            query: {
                orderId: number;
                years: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        responseContent: "min" | "max" | "";
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such order of a certificate, it is somebody else's, or there is no certificate yet */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    certificateId: number;
                    /**
                     * @description 0 Unspecified, 1 Key Compromised, 3 Affiliation Changed, 4 Superseded. Needed for a revocation
                     * @enum {integer|null}
                     */
                    reasonTypeId?: 0 | 1 | 3 | 4 | null;
                    /** @description `YYYY-MM-DD`, `DD/MM/YYYY` or `YYYY-MM-DDTHH:mm:ssZ`; left out, or today without a time or at midnight: now. A past moment is the date since when the certificate is not to be trusted, a later one is when it is revoked; both lie within its validity, from its `startDate` to its `endDate`. One that is to be revoked already can be revoked earlier only */
                    revocationDate?: string | null;
                    /** @description Needed with the reason 0 */
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @description What went wrong, or why it cannot be revoked; empty when nothing is wrong */
                            error: string;
                            /** @description Of a revocation: done or scheduled. Of a question: the certificate is revoked */
                            succeeded: boolean;
                            /** @enum {string} */
                            certificateStatus: "Pending" | "Issued" | "Downloaded" | "Revoked" | "RequestRevoke" | "Expired" | "Renewed" | "Cancelled" | "Rejected" | "Unknown";
                            /** @description In answer to a request with `certificateId` only */
                            state: {
                                /** @description In the certificate */
                                email: string;
                                commonName: string;
                                /** @description Hexadecimal pairs with colons */
                                serialNumber: string;
                                /** @description Moment in UTC, `YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none */
                                startDate: string;
                                /** @description Moment in UTC, `YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none */
                                endDate: string;
                                /** @description Of the caller's account */
                                emailAddress: string;
                                telephoneNumber: string;
                                /**
                                 * @description Empty when there is none
                                 * @enum {string}
                                 */
                                revocationReason: "Unspecified" | "Key Compromised" | "Affiliation Changed" | "Superseded" | "";
                                revocationDescription: string;
                                /** @description Moment in UTC, `YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none */
                                revocationDate: string;
                            } | null;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such certificate, or it is somebody else's */
            404: components["responses"]["Refused404"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetRevocationReasons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @enum {integer} */
                            id: 0 | 1 | 3 | 4;
                            /**
                             * @description Empty when there is none
                             * @enum {string}
                             */
                            description: "Unspecified" | "Key Compromised" | "Affiliation Changed" | "Superseded" | "";
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    certificatesGetRevocationReasonById: {
        parameters: {
            query: {
                /** @description 0 Unspecified, 1 Key Compromised, 3 Affiliation Changed, 4 Superseded */
                id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @enum {integer} */
                            id: 0 | 1 | 3 | 4;
                            /**
                             * @description Empty when there is none
                             * @enum {string}
                             */
                            description: "Unspecified" | "Key Compromised" | "Affiliation Changed" | "Superseded" | "";
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such reason */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificatesDownloadMyCertificate: {
        parameters: {
            query: {
                certificateId: number;
                /** @description Encoding; PEM when left out, in whatever case */
                certificateType?: "PEM" | "DER" | " ";
                /** @description CER, also when left out, or as the encoding */
                fileExtension?: "CER" | "PEM" | "DER" | " ";
                /** @description A ticket, or the token, where no header can be sent */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certificate */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                    "application/pkix-cert": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such certificate, or it is somebody else's */
            404: components["responses"]["Refused404"];
            /** @description Its state allows no download, or a field is not valid */
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificatesDownloadCaIssuingCertificate: {
        parameters: {
            query: {
                certificateId: number;
                /** @description Encoding; PEM when left out, in whatever case */
                certificateType?: "PEM" | "DER" | " ";
                /** @description CER, also when left out, or as the encoding */
                fileExtension?: "CER" | "PEM" | "DER" | " ";
                /** @description A ticket, or the token, where no header can be sent */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuing CA's certificate */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                    "application/pkix-cert": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such certificate, or it is somebody else's */
            404: components["responses"]["Refused404"];
            /** @description Its state allows no download, or a field is not valid */
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CertificatesDownloadCaRootCertificate: {
        parameters: {
            query?: {
                /** @description Encoding; PEM when left out, in whatever case */
                type?: "PEM" | "DER" | " ";
                /** @description CER, also when left out, or as the encoding */
                extension?: "CER" | "PEM" | "DER" | " ";
                /** @description A ticket, or the token, where no header can be sent */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The root's certificate */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                    "application/pkix-cert": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no authority that issues certificates */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    invoicesDownloadCertificateInvoice: {
        parameters: {
            query: {
                certificateOrderId: number;
                /** @description A ticket, or the token, where no header can be sent */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice; where there were several, the last one, and also one that a credit note cancelled */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such order of a certificate, or it is somebody else's */
            404: components["responses"]["Refused404"];
            /** @description There is no invoice yet, or a field is not valid */
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetcodes: {
        parameters: {
            query?: {
                /** @description 1 when left out */
                page?: number;
                /** @description 1000 when left out */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            /** @description The owner */
                            userId: number;
                            code: string;
                            /** @description Code and sub-code as one */
                            fullCode: string;
                            /** @enum {string} */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                            /** @description Empty of an entity */
                            subcode: string;
                            /** @description The entity of a sub-entity */
                            parentId: number | null;
                            company: string;
                            /** @description The owner's */
                            email: string;
                            entityName: string;
                            shortName: string;
                            tradeName: string;
                            vatNumber: string;
                            dunsNumber: string;
                            directParent: string;
                            domesticUltimateParent: string;
                            globalUltimateParent: string;
                            /** @enum {string} */
                            status: "Registered" | "Cancelled" | "Expired";
                            /** @description Sum of Headquarters 1, Storage 2, Transport 4, Finance 8, Production 16, Sales 32, Procurement 64, Distribution 128, Development 256, IT 512, Accounting 1024, Admin 2048, RegisteredOffice 4096, OFTP 8192, Other 16384 */
                            entityType: number;
                            /** @description The same by name */
                            entityTypes: ("Headquarters" | "Storage" | "Transport" | "Finance" | "Production" | "Sales" | "Procurement" | "Distribution" | "Development" | "IT" | "Accounting" | "Admin" | "RegisteredOffice" | "OFTP" | "Other")[];
                            entityTypeOther: string;
                            /** @description Not of an OFTP code */
                            isOscar: boolean;
                            /** @description Null: the company's */
                            physicalAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            /** @description Null: the physical one */
                            mailingAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            /** @description Sub-entities can be registered under it */
                            sbeCanRegister: boolean;
                            /** @description Sub-entities that it may have; 0: no limit */
                            sbeMaxNumber: number;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetcode: {
        parameters: {
            query: {
                id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            code: {
                                id: number;
                                /** @description The owner */
                                userId: number;
                                code: string;
                                /** @description Code and sub-code as one */
                                fullCode: string;
                                /** @enum {string} */
                                codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                                /** @description Empty of an entity */
                                subcode: string;
                                /** @description The entity of a sub-entity */
                                parentId: number | null;
                                company: string;
                                /** @description The owner's */
                                email: string;
                                entityName: string;
                                shortName: string;
                                tradeName: string;
                                vatNumber: string;
                                dunsNumber: string;
                                directParent: string;
                                domesticUltimateParent: string;
                                globalUltimateParent: string;
                                /** @enum {string} */
                                status: "Registered" | "Cancelled" | "Expired";
                                /** @description Sum of Headquarters 1, Storage 2, Transport 4, Finance 8, Production 16, Sales 32, Procurement 64, Distribution 128, Development 256, IT 512, Accounting 1024, Admin 2048, RegisteredOffice 4096, OFTP 8192, Other 16384 */
                                entityType: number;
                                /** @description The same by name */
                                entityTypes: ("Headquarters" | "Storage" | "Transport" | "Finance" | "Production" | "Sales" | "Procurement" | "Distribution" | "Development" | "IT" | "Accounting" | "Admin" | "RegisteredOffice" | "OFTP" | "Other")[];
                                entityTypeOther: string;
                                /** @description Not of an OFTP code */
                                isOscar: boolean;
                                /** @description Null: the company's */
                                physicalAddress: {
                                    id: number;
                                    street1: string;
                                    street2: string;
                                    street3: string;
                                    city: string;
                                    postcode: string;
                                    countryId: number;
                                    subcountryCode: string;
                                    company: string;
                                } | null;
                                /** @description Null: the physical one */
                                mailingAddress: {
                                    id: number;
                                    street1: string;
                                    street2: string;
                                    street3: string;
                                    city: string;
                                    postcode: string;
                                    countryId: number;
                                    subcountryCode: string;
                                    company: string;
                                } | null;
                                /** @description Sub-entities can be registered under it */
                                sbeCanRegister: boolean;
                                /** @description Sub-entities that it may have; 0: no limit */
                                sbeMaxNumber: number;
                            };
                            useCompanyAddress: boolean;
                            usePhysicalAddress: boolean;
                            contacts: {
                                id: number;
                                /** @enum {string} */
                                contactType: "Accounting" | "Expedition" | "IT" | "Information" | "Material Inspection" | "Material Schedule" | "OFTP" | "Purchase" | "Receiving" | "Sales" | "Transport" | "Warehouse";
                                /** @description First name */
                                name: string;
                                lastname: string;
                                position: string;
                                department: string;
                                telephone: string;
                                mobile: string;
                                fax: string;
                                email: string;
                            }[];
                            /** @description When it was last changed, `YYYY-MM-DDTHH:mm:ss.sssZ`; sent with a change it names the version that was read */
                            updatedAt: string;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such code, or it is somebody else's */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetCodeContacts: {
        parameters: {
            query: {
                codeId: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            /** @enum {string} */
                            contactType: "Accounting" | "Expedition" | "IT" | "Information" | "Material Inspection" | "Material Schedule" | "OFTP" | "Purchase" | "Receiving" | "Sales" | "Transport" | "Warehouse";
                            /** @description First name */
                            name: string;
                            lastname: string;
                            position: string;
                            department: string;
                            telephone: string;
                            mobile: string;
                            fax: string;
                            email: string;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such code, or it is somebody else's */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetcodesavailable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @enum {string} */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                            quantity: number;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetCodeCountForUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: number;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetAuditLogs: {
        parameters: {
            query: {
                codeId: number;
                /** @description 1 when left out */
                page?: number;
                /** @description 1000 when left out */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @description Who did it */
                            email: string;
                            purchaseOrderNumber: string;
                            code: string;
                            message: string;
                            /** @description Moment in UTC, `YYYY-MM-DDTHH:mm:ssZ`; `0001-01-01T00:00:00` when there is none */
                            dateTime: string;
                            /** @description What it refers to: the number of an order, the name of a file */
                            auditReference: string;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such code */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetPricings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            /** @enum {string} */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                            price: number;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesSearch: {
        parameters: {
            query?: {
                code?: string;
                /** @description With a code only; one that stands behind the code already has to be the same */
                subCode?: string;
                company?: string;
                city?: string;
                /** @description `id` of UserRegistration/GetCountries; `-1`: none */
                country?: string;
                /** @description 1 when left out */
                page?: number;
                /** @description 1000 when left out */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            code: string;
                            subcode: string;
                            company: string;
                            entityName: string;
                            city: string;
                            country: string;
                            /** @enum {string} */
                            status: "Registered" | "Cancelled" | "Expired";
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetCodeStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: ("Registered" | "Cancelled" | "Expired")[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetOrderStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: ("Open" | "Invoiced" | "Paid" | "Cancelled")[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    CodesUpdateEntity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: {
                        id: number;
                        entityName?: string | null;
                        shortName?: string | null;
                        tradeName?: string | null;
                        vatNumber?: string | null;
                        /** @description D-U-N-S number */
                        dunsNumber?: string | null;
                        /** @description The four characters of an OSCAR code */
                        directParent?: string | null;
                        domesticUltimateParent?: string | null;
                        globalUltimateParent?: string | null;
                        /**
                         * @description A new code is Registered; Expired is for administrators
                         * @enum {string|null}
                         */
                        status?: "Registered" | "Cancelled" | "Expired" | " " | null;
                        /** @description Sum of Headquarters 1, Storage 2, Transport 4, Finance 8, Production 16, Sales 32, Procurement 64, Distribution 128, Development 256, IT 512, Accounting 1024, Admin 2048, RegisteredOffice 4096, OFTP 8192, Other 16384; not another one than `entityTypes`. OFTP is for sub-entities */
                        entityType?: number | null;
                        /** @description The same by name */
                        entityTypes?: ("Headquarters" | "Storage" | "Transport" | "Finance" | "Production" | "Sales" | "Procurement" | "Distribution" | "Development" | "IT" | "Accounting" | "Admin" | "RegisteredOffice" | "OFTP" | "Other")[] | null;
                        /** @description Needed with the entity type Other */
                        entityTypeOther?: string | null;
                        /** @description Whole, or null: the company's */
                        physicalAddress?: {
                            /** @description Not used */
                            id?: number;
                            street1: string;
                            street2?: string | null;
                            street3?: string | null;
                            city: string;
                            postcode: string;
                            /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                            countryId: number;
                            /** @description Region */
                            subcountryCode?: string | null;
                            /** @description Not used */
                            company?: string | null;
                        } | null;
                        /** @description Whole, or null: the physical one */
                        mailingAddress?: {
                            /** @description Not used */
                            id?: number;
                            street1: string;
                            street2?: string | null;
                            street3?: string | null;
                            city: string;
                            postcode: string;
                            /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                            countryId: number;
                            /** @description Region */
                            subcountryCode?: string | null;
                            /** @description Not used */
                            company?: string | null;
                        } | null;
                        /** @description Not used */
                        userId?: number | null;
                        /** @description Not used */
                        code?: string | null;
                        /** @description Not used */
                        fullCode?: string | null;
                        /** @description Not used */
                        codeType?: string | null;
                        /** @description Not used */
                        subcode?: string | null;
                        /** @description Not used */
                        parentId?: number | null;
                        /** @description Not used */
                        company?: string | null;
                        /** @description Not used */
                        email?: string | null;
                        /** @description Not used */
                        isOscar?: boolean | null;
                        /** @description Not used */
                        sbeCanRegister?: boolean | null;
                        /** @description Not used */
                        sbeMaxNumber?: number | null;
                    };
                    /** @description True: whatever `physicalAddress` says */
                    useCompanyAddress?: boolean | null;
                    /** @description True: whatever `mailingAddress` says */
                    usePhysicalAddress?: boolean | null;
                    contacts?: {
                        /** @description 0 or less, or left out: a new one */
                        id?: number | null;
                        /**
                         * @description Needed of a new contact
                         * @enum {string|null}
                         */
                        contactType?: "Accounting" | "Expedition" | "IT" | "Information" | "Material Inspection" | "Material Schedule" | "OFTP" | "Purchase" | "Receiving" | "Sales" | "Transport" | "Warehouse" | " " | null;
                        /** @description First name. Needed of a new contact */
                        name?: string | null;
                        /** @description Needed of a new contact */
                        lastname?: string | null;
                        /** @description Job title */
                        position?: string | null;
                        department?: string | null;
                        telephone?: string | null;
                        mobile?: string | null;
                        fax?: string | null;
                        /** @description Needed of a new contact */
                        email?: string | null;
                    }[] | null;
                    /** @description Ids of stored contacts that are removed */
                    removedContacts?: number[] | null;
                    /** @description As the code was read, with its milliseconds: then nothing is saved when somebody else has changed it since */
                    updatedAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such code, it is somebody else's, or it has no contact with this id */
            404: components["responses"]["Refused404"];
            /** @description It was cancelled or has expired: only administrators change it */
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesRegisterNewEntity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: {
                        /**
                         * @description One that codes/getcodesavailable has, in whatever case
                         * @enum {string}
                         */
                        codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                        entityName: string;
                        shortName?: string | null;
                        tradeName?: string | null;
                        vatNumber?: string | null;
                        /** @description D-U-N-S number */
                        dunsNumber?: string | null;
                        /** @description The four characters of an OSCAR code */
                        directParent?: string | null;
                        domesticUltimateParent?: string | null;
                        globalUltimateParent?: string | null;
                        /**
                         * @description A new code is Registered; Expired is for administrators
                         * @enum {string|null}
                         */
                        status?: "Registered" | "Cancelled" | "Expired" | " " | null;
                        /** @description Sum of Headquarters 1, Storage 2, Transport 4, Finance 8, Production 16, Sales 32, Procurement 64, Distribution 128, Development 256, IT 512, Accounting 1024, Admin 2048, RegisteredOffice 4096, OFTP 8192, Other 16384; not another one than `entityTypes`. OFTP is for sub-entities */
                        entityType?: number | null;
                        /** @description The same by name */
                        entityTypes?: ("Headquarters" | "Storage" | "Transport" | "Finance" | "Production" | "Sales" | "Procurement" | "Distribution" | "Development" | "IT" | "Accounting" | "Admin" | "RegisteredOffice" | "OFTP" | "Other")[] | null;
                        /** @description Needed with the entity type Other */
                        entityTypeOther?: string | null;
                        /** @description Whole, or null: the company's */
                        physicalAddress?: {
                            /** @description Not used */
                            id?: number;
                            street1: string;
                            street2?: string | null;
                            street3?: string | null;
                            city: string;
                            postcode: string;
                            /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                            countryId: number;
                            /** @description Region */
                            subcountryCode?: string | null;
                            /** @description Not used */
                            company?: string | null;
                        } | null;
                        /** @description Whole, or null: the physical one */
                        mailingAddress?: {
                            /** @description Not used */
                            id?: number;
                            street1: string;
                            street2?: string | null;
                            street3?: string | null;
                            city: string;
                            postcode: string;
                            /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                            countryId: number;
                            /** @description Region */
                            subcountryCode?: string | null;
                            /** @description Not used */
                            company?: string | null;
                        } | null;
                        /** @description Not used */
                        id?: number | null;
                        /** @description Not used */
                        userId?: number | null;
                        /** @description Not used */
                        code?: string | null;
                        /** @description Not used */
                        fullCode?: string | null;
                        /** @description Not used */
                        subcode?: string | null;
                        /** @description Not used */
                        parentId?: number | null;
                        /** @description Not used */
                        company?: string | null;
                        /** @description Not used */
                        email?: string | null;
                        /** @description Not used */
                        isOscar?: boolean | null;
                        /** @description Not used */
                        sbeCanRegister?: boolean | null;
                        /** @description Not used */
                        sbeMaxNumber?: number | null;
                    };
                    /** @description True: whatever `physicalAddress` says */
                    useCompanyAddress?: boolean | null;
                    /** @description True: whatever `mailingAddress` says */
                    usePhysicalAddress?: boolean | null;
                    contacts?: {
                        /** @description 0 or less, or left out: a new one */
                        id?: number | null;
                        /**
                         * @description Needed of a new contact
                         * @enum {string|null}
                         */
                        contactType?: "Accounting" | "Expedition" | "IT" | "Information" | "Material Inspection" | "Material Schedule" | "OFTP" | "Purchase" | "Receiving" | "Sales" | "Transport" | "Warehouse" | " " | null;
                        /** @description First name. Needed of a new contact */
                        name?: string | null;
                        /** @description Needed of a new contact */
                        lastname?: string | null;
                        /** @description Job title */
                        position?: string | null;
                        department?: string | null;
                        telephone?: string | null;
                        mobile?: string | null;
                        fax?: string | null;
                        /** @description Needed of a new contact */
                        email?: string | null;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            /** @description The owner */
                            userId: number;
                            code: string;
                            /** @description Code and sub-code as one */
                            fullCode: string;
                            /** @enum {string} */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                            /** @description Empty of an entity */
                            subcode: string;
                            /** @description The entity of a sub-entity */
                            parentId: number | null;
                            company: string;
                            /** @description The owner's */
                            email: string;
                            entityName: string;
                            shortName: string;
                            tradeName: string;
                            vatNumber: string;
                            dunsNumber: string;
                            directParent: string;
                            domesticUltimateParent: string;
                            globalUltimateParent: string;
                            /** @enum {string} */
                            status: "Registered" | "Cancelled" | "Expired";
                            /** @description Sum of Headquarters 1, Storage 2, Transport 4, Finance 8, Production 16, Sales 32, Procurement 64, Distribution 128, Development 256, IT 512, Accounting 1024, Admin 2048, RegisteredOffice 4096, OFTP 8192, Other 16384 */
                            entityType: number;
                            /** @description The same by name */
                            entityTypes: ("Headquarters" | "Storage" | "Transport" | "Finance" | "Production" | "Sales" | "Procurement" | "Distribution" | "Development" | "IT" | "Accounting" | "Admin" | "RegisteredOffice" | "OFTP" | "Other")[];
                            entityTypeOther: string;
                            /** @description Not of an OFTP code */
                            isOscar: boolean;
                            /** @description Null: the company's */
                            physicalAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            /** @description Null: the physical one */
                            mailingAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            /** @description Sub-entities can be registered under it */
                            sbeCanRegister: boolean;
                            /** @description Sub-entities that it may have; 0: no limit */
                            sbeMaxNumber: number;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description A contact has an `id` above 0: it would be a stored one */
            404: components["responses"]["Refused404"];
            /** @description The caller has no code of this type to register */
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesRegisterNewSubEntity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: {
                        parentId: number;
                        /** @description Two of 0-9 and A-Z, not `00`; small letters are taken as capitals */
                        subcode: string;
                        entityName: string;
                        shortName?: string | null;
                        tradeName?: string | null;
                        vatNumber?: string | null;
                        /** @description D-U-N-S number */
                        dunsNumber?: string | null;
                        /** @description The four characters of an OSCAR code */
                        directParent?: string | null;
                        domesticUltimateParent?: string | null;
                        globalUltimateParent?: string | null;
                        /**
                         * @description A new code is Registered; Expired is for administrators
                         * @enum {string|null}
                         */
                        status?: "Registered" | "Cancelled" | "Expired" | " " | null;
                        /** @description Sum of Headquarters 1, Storage 2, Transport 4, Finance 8, Production 16, Sales 32, Procurement 64, Distribution 128, Development 256, IT 512, Accounting 1024, Admin 2048, RegisteredOffice 4096, OFTP 8192, Other 16384; not another one than `entityTypes`. OFTP is for sub-entities */
                        entityType?: number | null;
                        /** @description The same by name */
                        entityTypes?: ("Headquarters" | "Storage" | "Transport" | "Finance" | "Production" | "Sales" | "Procurement" | "Distribution" | "Development" | "IT" | "Accounting" | "Admin" | "RegisteredOffice" | "OFTP" | "Other")[] | null;
                        /** @description Needed with the entity type Other */
                        entityTypeOther?: string | null;
                        /** @description Whole, or null: the company's */
                        physicalAddress?: {
                            /** @description Not used */
                            id?: number;
                            street1: string;
                            street2?: string | null;
                            street3?: string | null;
                            city: string;
                            postcode: string;
                            /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                            countryId: number;
                            /** @description Region */
                            subcountryCode?: string | null;
                            /** @description Not used */
                            company?: string | null;
                        } | null;
                        /** @description Whole, or null: the physical one */
                        mailingAddress?: {
                            /** @description Not used */
                            id?: number;
                            street1: string;
                            street2?: string | null;
                            street3?: string | null;
                            city: string;
                            postcode: string;
                            /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                            countryId: number;
                            /** @description Region */
                            subcountryCode?: string | null;
                            /** @description Not used */
                            company?: string | null;
                        } | null;
                        /** @description Not used */
                        id?: number | null;
                        /** @description Not used */
                        userId?: number | null;
                        /** @description Not used */
                        code?: string | null;
                        /** @description Not used */
                        fullCode?: string | null;
                        /** @description Not used */
                        codeType?: string | null;
                        /** @description Not used */
                        company?: string | null;
                        /** @description Not used */
                        email?: string | null;
                        /** @description Not used */
                        isOscar?: boolean | null;
                        /** @description Not used */
                        sbeCanRegister?: boolean | null;
                        /** @description Not used */
                        sbeMaxNumber?: number | null;
                    };
                    /** @description True: whatever `physicalAddress` says */
                    useCompanyAddress?: boolean | null;
                    /** @description True: whatever `mailingAddress` says */
                    usePhysicalAddress?: boolean | null;
                    contacts?: {
                        /** @description 0 or less, or left out: a new one */
                        id?: number | null;
                        /**
                         * @description Needed of a new contact
                         * @enum {string|null}
                         */
                        contactType?: "Accounting" | "Expedition" | "IT" | "Information" | "Material Inspection" | "Material Schedule" | "OFTP" | "Purchase" | "Receiving" | "Sales" | "Transport" | "Warehouse" | " " | null;
                        /** @description First name. Needed of a new contact */
                        name?: string | null;
                        /** @description Needed of a new contact */
                        lastname?: string | null;
                        /** @description Job title */
                        position?: string | null;
                        department?: string | null;
                        telephone?: string | null;
                        mobile?: string | null;
                        fax?: string | null;
                        /** @description Needed of a new contact */
                        email?: string | null;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            /** @description The owner */
                            userId: number;
                            code: string;
                            /** @description Code and sub-code as one */
                            fullCode: string;
                            /** @enum {string} */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                            /** @description Empty of an entity */
                            subcode: string;
                            /** @description The entity of a sub-entity */
                            parentId: number | null;
                            company: string;
                            /** @description The owner's */
                            email: string;
                            entityName: string;
                            shortName: string;
                            tradeName: string;
                            vatNumber: string;
                            dunsNumber: string;
                            directParent: string;
                            domesticUltimateParent: string;
                            globalUltimateParent: string;
                            /** @enum {string} */
                            status: "Registered" | "Cancelled" | "Expired";
                            /** @description Sum of Headquarters 1, Storage 2, Transport 4, Finance 8, Production 16, Sales 32, Procurement 64, Distribution 128, Development 256, IT 512, Accounting 1024, Admin 2048, RegisteredOffice 4096, OFTP 8192, Other 16384 */
                            entityType: number;
                            /** @description The same by name */
                            entityTypes: ("Headquarters" | "Storage" | "Transport" | "Finance" | "Production" | "Sales" | "Procurement" | "Distribution" | "Development" | "IT" | "Accounting" | "Admin" | "RegisteredOffice" | "OFTP" | "Other")[];
                            entityTypeOther: string;
                            /** @description Not of an OFTP code */
                            isOscar: boolean;
                            /** @description Null: the company's */
                            physicalAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            /** @description Null: the physical one */
                            mailingAddress: {
                                id: number;
                                street1: string;
                                street2: string;
                                street3: string;
                                city: string;
                                postcode: string;
                                countryId: number;
                                subcountryCode: string;
                                company: string;
                            } | null;
                            /** @description Sub-entities can be registered under it */
                            sbeCanRegister: boolean;
                            /** @description Sub-entities that it may have; 0: no limit */
                            sbeMaxNumber: number;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such code, it is somebody else's, or a contact has an `id` above 0 */
            404: components["responses"]["Refused404"];
            /** @description Nothing more can be registered under this code */
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesCheckSubEntityExist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    parentId: number;
                    /** @description Two of 0-9 and A-Z, not `00`; small letters are taken as capitals */
                    subcode: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: boolean;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such code, or it is somebody else's */
            404: components["responses"]["Refused404"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesCompletePurchaseJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new text for each order; the same one when it is sent again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    order: {
                        purchaseOrderNumber: string;
                        /**
                         * @description In whatever case
                         * @enum {string}
                         */
                        codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                        /** @description 1 when left out */
                        quantity?: number | null;
                        /** @enum {boolean} */
                        termsAndConditionsAccepted: true;
                        /** @description What it is expected to cost, in euro without VAT: at another price nothing is ordered */
                        netAmount?: number | null;
                        /** @description Not used: the price is the portal's */
                        codePricing?: {
                            [key: string]: unknown;
                        } | null;
                    };
                    invoiceAddress: {
                        name: string;
                        company: string;
                        email: string;
                        addressLine1: string;
                        addressLine2?: string | null;
                        city: string;
                        postalCode: string;
                        phoneNumber: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                        /** @description VAT number with its prefix, e.g. `DE123456789`; needed where the country is an EU member or the United Kingdom */
                        vat?: string | null;
                        /** @description Not stored */
                        position?: string | null;
                        /** @description Not used: `countryId` says it */
                        country?: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            orderId: number;
                            /** @description Whether the confirmation to the account's own address went out at once; false also while it waits for that address to be confirmed */
                            isNotified: boolean;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesPurchaseCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new text for each order; the same one when it is sent again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    order: {
                        purchaseOrderNumber: string;
                        /**
                         * @description In whatever case
                         * @enum {string}
                         */
                        codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                        /** @description 1 when left out */
                        quantity?: number | null;
                        /** @enum {boolean} */
                        termsAndConditionsAccepted: true;
                        /** @description What it is expected to cost, in euro without VAT: at another price nothing is ordered */
                        netAmount?: number | null;
                        /** @description Not used: the price is the portal's */
                        codePricing?: {
                            [key: string]: unknown;
                        } | null;
                    };
                    /** @description Left out: the account's invoicing address */
                    invoiceAddress?: {
                        name: string;
                        company: string;
                        email: string;
                        addressLine1: string;
                        addressLine2?: string | null;
                        city: string;
                        postalCode: string;
                        phoneNumber: string;
                        /** @description `id` of UserRegistration/GetCountries (ISO 3166-1 numeric) */
                        countryId: number;
                        /** @description VAT number with its prefix, e.g. `DE123456789`; needed where the country is an EU member or the United Kingdom */
                        vat?: string | null;
                        /** @description Not stored */
                        position?: string | null;
                        /** @description Not used: `countryId` says it */
                        country?: {
                            [key: string]: unknown;
                        } | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            orderId: number;
                            /** @description Whether the confirmation to the account's own address went out at once; false also while it waits for that address to be confirmed */
                            isNotified: boolean;
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetSalesOrders: {
        parameters: {
            query?: {
                /** @description 1 when left out */
                page?: number;
                /** @description 1000 when left out */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            orderNumber: string;
                            userName: string;
                            email: string;
                            company: string;
                            /** @description As `company` */
                            userCompany: string;
                            country: string;
                            vatNumber: string;
                            purchaseOrderNumber: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            orderDate: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            creationDate: string;
                            /** @enum {string} */
                            orderStatus: "Open" | "Invoiced" | "Paid" | "Cancelled";
                            remarks: string;
                            /**
                             * @description What it is for; empty of an old order of codes that does not say
                             * @enum {string}
                             */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic" | "Certificate" | "Code Maintenance" | "";
                            /** @description 0 of an order that is not for codes */
                            numberOfCodes: number;
                            /** @description Euro, with VAT */
                            orderTotal: number;
                            promotionCode: string;
                            invoiceNumber: string;
                            /** @description Euro; null when there is none */
                            invoiceTotal: number | null;
                            /** @description As `invoiceTotal` */
                            invoiceAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            invoiceDate: string;
                            /** @description Euro; null when there is none */
                            paymentTotal: number | null;
                            /** @description As `paymentTotal` */
                            paymentAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            paymentDate: string;
                            /** @description Of the yearly maintenance of codes */
                            isMaintenance: boolean;
                            /** @description When it was last changed, `YYYY-MM-DDTHH:mm:ss.sssZ`; sent with a change it names the version that was read */
                            updatedAt: string;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesSearchSalesOrders: {
        parameters: {
            query?: {
                /** @description First day: `YYYY-MM-DD`, `DD/MM/YYYY` or `YYYY-MM-DDTHH:mm:ssZ` */
                from?: string;
                /** @description Last day, likewise */
                to?: string;
                /** @description A part of the user name or e-mail address */
                userName?: string;
                /** @description Of the invoice: `id` of UserRegistration/GetCountries; `-1`: none */
                country?: string;
                status?: "Open" | "Invoiced" | "Paid" | "Cancelled" | " ";
                /** @description Beginnings of its words */
                company?: string;
                /** @description Whole, `SO-1005`, or its digits */
                orderNumber?: string;
                orderType?: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic" | "Certificate" | "Code Maintenance" | " ";
                /** @description 1 when left out */
                page?: number;
                /** @description 1000 when left out */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            orderNumber: string;
                            userName: string;
                            email: string;
                            company: string;
                            /** @description As `company` */
                            userCompany: string;
                            country: string;
                            vatNumber: string;
                            purchaseOrderNumber: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            orderDate: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            creationDate: string;
                            /** @enum {string} */
                            orderStatus: "Open" | "Invoiced" | "Paid" | "Cancelled";
                            remarks: string;
                            /**
                             * @description What it is for; empty of an old order of codes that does not say
                             * @enum {string}
                             */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic" | "Certificate" | "Code Maintenance" | "";
                            /** @description 0 of an order that is not for codes */
                            numberOfCodes: number;
                            /** @description Euro, with VAT */
                            orderTotal: number;
                            promotionCode: string;
                            invoiceNumber: string;
                            /** @description Euro; null when there is none */
                            invoiceTotal: number | null;
                            /** @description As `invoiceTotal` */
                            invoiceAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            invoiceDate: string;
                            /** @description Euro; null when there is none */
                            paymentTotal: number | null;
                            /** @description As `paymentTotal` */
                            paymentAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            paymentDate: string;
                            /** @description Of the yearly maintenance of codes */
                            isMaintenance: boolean;
                            /** @description When it was last changed, `YYYY-MM-DDTHH:mm:ss.sssZ`; sent with a change it names the version that was read */
                            updatedAt: string;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetSalesOrder: {
        parameters: {
            query: {
                id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            orderNumber: string;
                            userName: string;
                            email: string;
                            company: string;
                            /** @description As `company` */
                            userCompany: string;
                            country: string;
                            vatNumber: string;
                            purchaseOrderNumber: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            orderDate: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            creationDate: string;
                            /** @enum {string} */
                            orderStatus: "Open" | "Invoiced" | "Paid" | "Cancelled";
                            remarks: string;
                            /**
                             * @description What it is for; empty of an old order of codes that does not say
                             * @enum {string}
                             */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic" | "Certificate" | "Code Maintenance" | "";
                            /** @description 0 of an order that is not for codes */
                            numberOfCodes: number;
                            /** @description Euro, with VAT */
                            orderTotal: number;
                            promotionCode: string;
                            invoiceNumber: string;
                            /** @description Euro; null when there is none */
                            invoiceTotal: number | null;
                            /** @description As `invoiceTotal` */
                            invoiceAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            invoiceDate: string;
                            /** @description Euro; null when there is none */
                            paymentTotal: number | null;
                            /** @description As `paymentTotal` */
                            paymentAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            paymentDate: string;
                            /** @description Of the yearly maintenance of codes */
                            isMaintenance: boolean;
                            /** @description When it was last changed, `YYYY-MM-DDTHH:mm:ss.sssZ`; sent with a change it names the version that was read */
                            updatedAt: string;
                            maintenanceCodes: {
                                code: string;
                                /** @enum {string} */
                                codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                                /** @description Euro without VAT */
                                cost: number;
                                /** @description Months of the year that are not charged */
                                discountNumMonths: number;
                                /** @description Sub-codes that are charged for */
                                subCode: string[];
                            }[];
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such order */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesUpdateSalesOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: number;
                    /**
                     * @description Left out: as it is stored, unless an invoice makes it Invoiced
                     * @enum {string}
                     */
                    status?: "Open" | "Invoiced" | "Paid" | "Cancelled";
                    /** @description Left out: as it is stored; empty, a single space or null: none */
                    remarks?: string | null;
                    /** @description Left out: as it is stored; empty, a single space or null: none */
                    promoCode?: string | null;
                    /** @description Left out: as it is stored, or as the status makes it; empty, a single space or null: none */
                    invoiceNumber?: string | null;
                    /** @description Euro, at most 999999999.99 with two decimals; a negative one counts as 0. Left out: as it is stored, or as the status makes it; empty, a single space or null: none */
                    invoiceTotal?: number | string | null;
                    /** @description `YYYY-MM-DD`, `DD/MM/YYYY` or `YYYY-MM-DDTHH:mm:ssZ`. Left out: as it is stored, or as the status makes it; empty, a single space or null: none */
                    invoiceDate?: string | null;
                    /** @description Euro, at most 999999999.99 with two decimals; a negative one counts as 0. Left out: as it is stored, or as the status makes it; empty, a single space or null: none */
                    paymentTotal?: number | string | null;
                    /** @description `YYYY-MM-DD`, `DD/MM/YYYY` or `YYYY-MM-DDTHH:mm:ssZ`. Left out: as it is stored, or as the status makes it; empty, a single space or null: none */
                    paymentDate?: string | null;
                    /** @description As the order was read, with its milliseconds: then nothing is saved when somebody else has changed it since */
                    updatedAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            orderNumber: string;
                            userName: string;
                            email: string;
                            company: string;
                            /** @description As `company` */
                            userCompany: string;
                            country: string;
                            vatNumber: string;
                            purchaseOrderNumber: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            orderDate: string;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            creationDate: string;
                            /** @enum {string} */
                            orderStatus: "Open" | "Invoiced" | "Paid" | "Cancelled";
                            remarks: string;
                            /**
                             * @description What it is for; empty of an old order of codes that does not say
                             * @enum {string}
                             */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic" | "Certificate" | "Code Maintenance" | "";
                            /** @description 0 of an order that is not for codes */
                            numberOfCodes: number;
                            /** @description Euro, with VAT */
                            orderTotal: number;
                            promotionCode: string;
                            invoiceNumber: string;
                            /** @description Euro; null when there is none */
                            invoiceTotal: number | null;
                            /** @description As `invoiceTotal` */
                            invoiceAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            invoiceDate: string;
                            /** @description Euro; null when there is none */
                            paymentTotal: number | null;
                            /** @description As `paymentTotal` */
                            paymentAmount: number | null;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            paymentDate: string;
                            /** @description Of the yearly maintenance of codes */
                            isMaintenance: boolean;
                            /** @description When it was last changed, `YYYY-MM-DDTHH:mm:ss.sssZ`; sent with a change it names the version that was read */
                            updatedAt: string;
                            maintenanceCodes: {
                                code: string;
                                /** @enum {string} */
                                codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic";
                                /** @description Euro without VAT */
                                cost: number;
                                /** @description Months of the year that are not charged */
                                discountNumMonths: number;
                                /** @description Sub-codes that are charged for */
                                subCode: string[];
                            }[];
                        };
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such order */
            404: components["responses"]["Refused404"];
            /** @description Somebody else has changed it since `updatedAt` */
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            /**
             * @description A field is not valid, such as a day to come (`request.invalid`); a day before that of the order, the invoice number of another one, no new `remarks` of
             *     an order that is no longer Paid, registered codes of it, a pending certificate of one to be cancelled, or a cancelled order (`order.update`); a change of an invoice
             *     that the portal issued, or a number like its own, `INV-2026-00001` (`invoice.by-hand`); no new `remarks` for a credit note (`invoice.credit-reason`)
             */
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesExportCsv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids */
                    salesOrderIds: number[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: string;
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            /** @description One of the orders does not exist, which `errors` names (`orders.export`), or a field is not valid */
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesDownloadCsv: {
        parameters: {
            query: {
                fileName: string;
                /** @description A ticket, or the token, where no header can be sent */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sales orders */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such file, or it was prepared for somebody else or more than an hour ago */
            404: components["responses"]["Refused404"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    codesGetUserSalesOrders: {
        parameters: {
            query?: {
                /** @description Left out: the caller; another one for administrators only */
                userId?: number;
                /** @description 1 when left out */
                page?: number;
                /** @description 1000 when left out */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        responseContent: {
                            id: number;
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            creationDate: string;
                            /**
                             * @description What it is for; empty of an old order of codes that does not say
                             * @enum {string}
                             */
                            codeType: "OFTP Code" | "OSCAR Code Full" | "OSCAR Code Basic" | "Certificate" | "Code Maintenance" | "";
                            numberOfCodes: number;
                            /** @description Euro, with VAT */
                            orderTotal: number;
                            invoiceNumber: string;
                            /** @enum {string} */
                            orderStatus: "Open" | "Invoiced" | "Paid" | "Cancelled";
                            /** @description Day in UTC, `YYYY-MM-DDT00:00:00Z`; `0001-01-01T00:00:00` when there is none */
                            paymentDate: string;
                        }[];
                        responseText: string;
                    };
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            /** @description `userId` is somebody else's, and the caller no administrator */
            403: components["responses"]["Refused403"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    invoicesDownloadCodeInvoice: {
        parameters: {
            query: {
                salesOrderId: number;
                /** @description A ticket, or the token, where no header can be sent */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice; where there were several, the last one, and also one that a credit note cancelled */
            200: {
                headers: {
                    /** @description Names this request in the portal's log */
                    "X-Request-Id"?: string;
                    /** @description The file's name; in other letters than ASCII's also as `filename*` (RFC 8187) */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            /** @description There is no such order of codes, or it is somebody else's */
            404: components["responses"]["Refused404"];
            /** @description There is no invoice yet, or a field is not valid */
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
}
