/** Sentences of the service, the more special ones first; `{}` is what differs, and is kept. */
export const germanSentences: readonly (readonly [english: string, german: string])[] = [
  ["The IBAN is valid.", "Die IBAN ist gültig."],
  [
    "The IBAN is not valid: its country is not in the IBAN registry.",
    "Die IBAN ist ungültig: Ihr Land steht nicht im IBAN-Register.",
  ],
  [
    "The IBAN is not valid: this territory uses the country code and check digits of its parent country.",
    "Die IBAN ist ungültig: Dieses Gebiet verwendet Länderkennzeichen und Prüfziffern seines Mutterlandes.",
  ],
  [
    "The IBAN is not valid: its country uses IBAN-like numbers that are not registered.",
    "Die IBAN ist ungültig: Ihr Land verwendet Nummern wie eine IBAN, die nicht registriert sind.",
  ],
  [
    "The IBAN is not valid: its length is wrong for its country.",
    "Die IBAN ist ungültig: Ihre Länge ist für ihr Land falsch.",
  ],
  [
    "The IBAN is not valid: a character does not fit the structure of its country.",
    "Die IBAN ist ungültig: Ein Zeichen passt nicht zum Aufbau ihres Landes.",
  ],
  [
    "The IBAN is not valid: its check digits must be digits.",
    "Die IBAN ist ungültig: Ihre Prüfziffern sind keine Ziffern.",
  ],
  [
    "The IBAN is not valid: its check digits must be between 02 and 98.",
    "Die IBAN ist ungültig: Ihre Prüfziffern müssen zwischen 02 und 98 liegen.",
  ],
  [
    "The IBAN is not valid: its check digits are wrong.",
    "Die IBAN ist ungültig: Ihre Prüfziffern sind falsch.",
  ],
  [
    "The IBAN is not valid: its bank code does not exist.",
    "Die IBAN ist ungültig: Ihre Bankleitzahl gibt es nicht.",
  ],
  [
    "The IBAN is not valid: its national check digits are wrong.",
    "Die IBAN ist ungültig: Die nationalen Prüfziffern in ihr sind falsch.",
  ],
  [
    "The IBAN is not valid: the check digit of its account number is wrong.",
    "Die IBAN ist ungültig: Die Prüfziffer ihrer Kontonummer ist falsch.",
  ],
  ["The BIC does not match the IBAN or is invalid.", "Der BIC gehört nicht zu der IBAN oder ist ungültig."],
  ["This is not an IBAN.", "Das ist keine IBAN."],
  ["The account number and bank code are valid.", "Kontonummer und Bankleitzahl sind gültig."],
  ["The check digit of the account number is wrong.", "Die Prüfziffer der Kontonummer ist falsch."],
  [
    "The bank code must have 8 digits and the account number at most 10.",
    "Die Bankleitzahl muss 8 Ziffern haben, die Kontonummer höchstens 10.",
  ],
  ["The bank code must have 8 digits.", "Die Bankleitzahl muss 8 Ziffern haben."],
  ["The account number must have at most 10 digits.", "Die Kontonummer darf höchstens 10 Ziffern haben."],
  ["The bank code does not exist.", "Die Bankleitzahl gibt es nicht."],
  [
    "The account number cannot be checked: the bank's check-digit method is not known.",
    "Die Kontonummer lässt sich nicht prüfen: Das Prüfziffernverfahren der Bank ist nicht bekannt.",
  ],
  [
    "The account number cannot be checked: it has no check digit at this bank.",
    "Die Kontonummer lässt sich nicht prüfen: Sie enthält bei dieser Bank keine Prüfziffer.",
  ],
  [
    "No IBAN can be generated: the bank's IBAN rule forbids it.",
    "Es lässt sich keine IBAN bilden: Die IBAN-Regel der Bank verbietet es.",
  ],
  [
    "No IBAN can be generated: the bank's IBAN rule does not accept this account number.",
    "Es lässt sich keine IBAN bilden: Die IBAN-Regel der Bank lässt diese Kontonummer nicht zu.",
  ],
  [
    "No IBAN can be generated: the bank code has been deleted and has no successor.",
    "Es lässt sich keine IBAN bilden: Die Bankleitzahl ist gelöscht und hat keine Nachfolgerin.",
  ],
  [
    "No IBAN can be generated: the bank's IBAN rule is not known.",
    "Es lässt sich keine IBAN bilden: Die IBAN-Regel der Bank ist nicht bekannt.",
  ],
  [
    "No IBAN can be generated: the IBAN rule leads to a bank code that does not exist.",
    "Es lässt sich keine IBAN bilden: Die Bankleitzahl, auf die die IBAN-Regel führt, gibt es nicht.",
  ],
  [
    "The bank's IBAN rule replaces the bank code in the IBAN.",
    "Die IBAN-Regel der Bank ersetzt in der IBAN die Bankleitzahl.",
  ],
  [
    "The bank's IBAN rule replaces the account number in the IBAN.",
    "Die IBAN-Regel der Bank ersetzt in der IBAN die Kontonummer.",
  ],
  [
    "The bank's IBAN rule replaces the {} and the {} in the IBAN.",
    "Die IBAN-Regel der Bank ersetzt in der IBAN Bankleitzahl und Kontonummer.",
  ],
  [
    "The bank's IBAN rule gives this account number without a check digit.",
    "Die IBAN-Regel der Bank gibt diese Kontonummer ohne Prüfziffer vor.",
  ],
  [
    "The bank code is marked for deletion and has no successor.",
    "Die Bankleitzahl ist zur Löschung vorgemerkt und hat keine Nachfolgerin.",
  ],
  [
    "The bank code is marked for deletion; its successor is {}.",
    "Die Bankleitzahl ist zur Löschung vorgemerkt; ihre Nachfolgerin ist {}.",
  ],
  ["The bank code has the successor {}.", "Die Bankleitzahl hat die Nachfolgerin {}."],
  [
    "The data does not say whether the bank code is to be deleted.",
    "Die Daten sagen nicht, ob die Bankleitzahl gelöscht werden soll.",
  ],
  ["The bank's method is not known.", "Das Verfahren der Bank ist nicht bekannt."],
  ["Method {}, variant {}.", "Verfahren {}, Variante {}."],
  ["Method {}: the number carries no check digit.", "Verfahren {}: Die Nummer enthält keine Prüfziffer."],
  ["Method {} is not known.", "Verfahren {} ist nicht bekannt."],
  ["Method {}.", "Verfahren {}."],
  ["No IBAN was asked for (sepa=1).", "Nach einer IBAN wurde nicht gefragt (sepa=1)."],
  ["Rule {} (published).", "Regel {} (veröffentlicht)."],
  ["Rule {} (inferred from comparable banks).", "Regel {} (von vergleichbaren Banken erschlossen)."],
  [
    "Assumed: no directory of participants is loaded.",
    "Angenommen: Es ist kein Teilnehmerverzeichnis geladen.",
  ],
  [
    "Read from the directory of reachable payment service providers (edition {}).",
    "Aus dem Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {}).",
  ],
  [
    "Inherited from the head office's entry in the directory of reachable payment service providers (edition {}).",
    "Vom Eintrag der Hauptstelle im Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {}) übernommen.",
  ],
  [
    "Assumed: no BIC of the bank is listed in the directory of reachable payment service providers (edition {}).",
    "Angenommen: Im Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {}) steht kein BIC der Bank.",
  ],
  [
    "This territory uses the country code {}; its check digits would be {}.",
    "Dieses Gebiet verwendet das Länderkennzeichen {}; seine Prüfziffern wären {}.",
  ],
  ["{} of {} characters.", "{} von {} Zeichen."],
  ["Character {} does not fit the structure of {}.", "Das {}. Zeichen passt nicht zum Aufbau des Landes."],
  ["The registry defines no bank identifier here.", "Das Register legt hier keine Bankkennung fest."],
  ["{} is in the directory (edition {}).", "{} steht im Verzeichnis (Ausgabe {})."],
  ["{} is not in the directory (edition {}).", "{} steht nicht im Verzeichnis (Ausgabe {})."],
  [
    "{} is not in the directory, which is not complete.",
    "{} steht nicht im Verzeichnis, das aber nicht vollständig ist.",
  ],
  ["The country has no nationwide check digits.", "Das Land hat keine landesweiten Prüfziffern."],
  ["Algorithm {}; only reported in this country.", "Algorithmus {}; in diesem Land nur zur Kenntnis."],
  ["Algorithm {}.", "Algorithmus {}."],
  ["No BIC was given.", "Es wurde kein BIC angegeben."],
  ["The BIC is the bank's own.", "Es ist der BIC der Bank."],
  ["The BIC is the bank's own once padded with XXX.", "Es ist der BIC der Bank, sobald XXX angefügt wird."],
  [
    "The BIC belongs to the same institution: its first eight characters are equal.",
    "Der BIC gehört demselben Institut: Die ersten acht Zeichen sind gleich.",
  ],
  [
    "The BIC is a further one known for the bank code.",
    "Es ist ein weiterer BIC, der zu der Bankleitzahl bekannt ist.",
  ],
  [
    "No BIC is known for the bank; the countries agree.",
    "Zu der Bank ist kein BIC bekannt; die Länder stimmen überein.",
  ],
  ["The BIC belongs to another bank.", "Der BIC gehört einer anderen Bank."],
  ["The BIC belongs to another country.", "Der BIC gehört einem anderen Land."],
  ["The API key is missing or not valid.", "Der API-Schlüssel fehlt oder ist ungültig."],
  [
    "The IBAN is too short, does not begin with two letters, or contains characters other than letters and digits.",
    "Die IBAN ist zu kurz, beginnt nicht mit zwei Buchstaben oder enthält andere Zeichen als Buchstaben und Ziffern.",
  ],
  [
    "The account number (kontonummer) is missing, zero, or contains characters other than digits.",
    "Die Kontonummer fehlt, ist null oder enthält andere Zeichen als Ziffern.",
  ],
  [
    "The bank code (bankleitzahl) is missing or contains characters other than digits.",
    "Die Bankleitzahl fehlt oder enthält andere Zeichen als Ziffern.",
  ],
  ["Access to this resource is not allowed.", "Der Zugriff ist nicht erlaubt."],
  [
    "The request body is larger than the maximum of 128 KB.",
    "Die Anfrage ist größer als die höchstens erlaubten 128 KB.",
  ],
  [
    "An unexpected server error occurred; the request can usually be retried unchanged.",
    "Im Dienst ist ein unerwarteter Fehler aufgetreten; ein neuer Versuch gelingt meist.",
  ],
  [
    "The check could not be performed although the request was valid; please retry.",
    "Die Prüfung ließ sich nicht ausführen, obwohl die Anfrage gültig war; bitte erneut versuchen.",
  ],
  [
    "All processing slots for checks are in use; resend the request unchanged after the wait.",
    "Alle Prüfplätze sind belegt; nach einer kurzen Pause geht es weiter.",
  ],
  [
    "The server configuration could not be loaded; a retry does not help.",
    "Die Konfiguration des Dienstes ließ sich nicht laden; ein neuer Versuch hilft nicht.",
  ],
  ["{} (edition {}).", "{} (Ausgabe {})."],
];
