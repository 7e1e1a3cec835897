import assert from "node:assert/strict";
import { test } from "node:test";
import { generateIban } from "../../../../src/banking/germany/iban-rules/generate.ts";

/**
 * Returns a function that answers `"<BLZ>/<ten-digit account> <BIC>"` or the refusal for an account under one rule; banks
 * are `"<BLZ> <check-digit method> <BIC>, …"`, and `-` is none.
 */
function accountByRule(rule: string, banks: string): (blz: string, kontonummer: string) => string {
  const facts = banks.split(", ").map((bank) => bank.split(" ").map((fact) => (fact === "-" ? null : fact)));
  return (blz, kontonummer) => {
    const generated = generateIban(blz, kontonummer, (wanted) => {
      const known = facts.find(([code]) => code === wanted);
      return known && { method: known[1]!, bic: known[2]!, rule: wanted === blz ? rule : null };
    });
    if ("error" in generated) return generated.error;
    return `${generated.blz}/${generated.kontonummer} ${generated.bic ?? "-"}`;
  };
}

/**
 * Each line has a rule, a bank (code, method, BIC; `-` is none), the banks it leads to, and accounts with their result: `kept`,
 * another account, another bank code with account and BIC, or the refusal. They come from the published rules and not from
 * `data/`, and are others than those of `de-iban-rules.ndjson`.
 */
const examples = `
rule 0002 refuses digit 8 = 6 and digits 8 to 9 = 86
  0002 at 72020700 23 AUGBDE77XXX: 785 kept; 867 8258775680 not_convertible; 6464 check_digit
  0002 at 72020700 09 -: 687 not_convertible; 876 kept
rule 0029 removes the fourth of ten digits where it is 0
  0029 at 51210800 09 SOGEDEFFXXX: 1411123456 260023456 kept
rule 0036 takes what passes method C5 outside its refused ranges, appends 000 to six digits and moves to 21050000
  0036 at 21050000 C5 HSHNDEHHXXX, 20050000 C5 HSHNDEHH200: 899906 0899906000; 4523802306 3435 check_digit
rule 0042 takes the account ranges of the Bundesbank only
  0042 at 15000000 09 MARKDEF1150: 10001000 10009999 99901000 50462000 50463999 50469000 50469999 1114400001
      9994499999 10002965 kept; 10000999 10010000 99900000 50461999 50464000 50468999 50470000 1114400000
      1114300001 1115400001 1 1234567 504602946 551798174 not_convertible
rule 0045 returns ESSEDE5FXXX for BLZ 50210130 to 50210189 and 50510120 to 50510180
  0045 at 50210189 09 FILEDEFFXXX: 5013 50210189/0000005013 ESSEDE5FXXX
  0045 at 50510120 09 FILEDEFFXXX: 5013 50510120/0000005013 ESSEDE5FXXX
  0045 at 50510181 09 FILEDEFFXXX: 5013 kept
rule 0052 takes its ten combinations of BLZ and account to 60050101 and refuses all others
  0052 at 69220020 65 SOLADEST692, 60050101 01 FILEDEFFXXX, 67220020 65 SOLADEST672: 6402145400
      60050101/7485500252 SOLADEST600; 5308810004 not_convertible
rule 0053 takes its combinations of BLZ and account to 60050101 and keeps all others
  0053 at 86050000 09 SOLADEST861, 55050000 59 SOLADEST550, 60050101 01 FILEDEFFXXX: 4394
      60050101/7461505714 SOLADEST600; 35000 kept
rule 0056 takes donation accounts to their branch and asks ten digits at the bank codes of its list
  0056 at 20030300 09 ESSEDEFFXXX, 60010111 13 ESSEDE5F600: 500500500 60010111/1045720000 ESSEDE5F600; 661 kept
  0056 at 37010111 13 ESSEDE5F370: 2651534003 kept; 638337680 661 invalid_account
rule 0005 refuses BLZ 50040033
  0005 at 50040033 09 COBADEF1BRS: 930125007 not_convertible
rule 0005 takes a number as it is where the method is 09, in a refused range too
  0005 at 10089260 09 DRESDEFFI14, 87080000 09 DRESDEFF870: 999189064 kept
  0005 at 87080000 09 DRESDEFF870, 10089260 09 DRESDEFFI14: 998000000 kept
rule 0005 refuses 998000000 to 999499999 at the bank codes of its list
  0005 at 12080000 76 DRESDEFF120, 10080000 76 DRESDEFF100: 997999999 999500000 check_digit; 998000000
      999499999 not_convertible
rule 0005 replaces donation accounts per bank code
  0005 at 37080040 76 DRESDEFF370, 38040007 13 COBADEFFXXX, 70040041 13 COBADEFFXXX: 55555 0263602501
  0005 at 38040007 13 COBADEFFXXX, 37080040 76 DRESDEFF370, 70040041 13 COBADEFFXXX: 55555 0305555500
  0005 at 70040041 13 COBADEFFXXX, 37080040 76 DRESDEFF370, 38040007 13 COBADEFFXXX: 400500500 kept; 94
      0212808000
rules 0005 and 0020 take donation accounts without asking the method
  0005 at 37080040 54 -: 111 0215022000
  0020 at 50070010 54 -: 9999 0092777202
rule 0005 with method 13 always extends six and seven digits, and no others
  0005 at 23040022 13 COBADEFFXXX: 4217386 0421738600; 111198700 100801 10009 109 10000018 check_digit
rule 0005 with method 76 prefers the number as given and extends it where only that fits
  0005 at 50080000 76 DRESDEFFXXX: 100000000 check_digit; 1000500 kept; 7325022 0732502200
rule 0005 refuses where the method is not known, since the result depends on it
  0005 at 23040022 - COBADEFFXXX: 101337 not_convertible
rule 0005 tests a number by the bank's own method where that is another
  0005 at 23040022 00 COBADEFFXXX: 123406 kept; 123404 check_digit
rule 0020 refuses BLZ 10020000 and replaces one donation account
  0020 at 10020000 69 BEBEDEBBXXX, 50070010 63 DEUTDEFFXXX: 38150900 not_convertible
rule 0020 depends on the length of the account
  0020 at 50070010 63 DEUTDEFFXXX, 10020000 69 BEBEDEBBXXX: 1 not_convertible; 18713 0001871300; 804021
      0080402100; 527809 check_digit
rule 0020 prefers the extended seven-digit number to the one as given
  0020 at 50070010 63 DEUTDEFFXXX, 10020000 69 BEBEDEBBXXX: 1000900 0100090000
rule 0020 does not use five or six digits that fit as given only
  0020 at 50070010 63 DEUTDEFFXXX, 10020000 69 BEBEDEBBXXX: 10901 100801 check_digit
rule 0020 never extends eight or nine digits
  0020 at 50070010 63 DEUTDEFFXXX, 10020000 69 BEBEDEBBXXX: 10000000 100000001 check_digit
rule 0020 tests eight and nine digits by method 63 also where the bank's own is another
  0020 at 50070010 00 DEUTDEFFXXX: 600103660 kept
rule 0020 takes a number as it is where the method is 09
  0020 at 50070011 09 DEUTDEFFXXX: 1 kept
rule 0020 at Norisbank refuses what fits only the part of method 06
  0020 at 76026000 C7 NORSDE71XXX: 18713 0001871300
rule 0020 refuses where the method is not known, since the result depends on it
  0020 at 50070010 - -: 38150900 not_convertible
rule 0032 keeps shorter accounts, refuses 800000000 to 899999999 and finds the branch of ten digits
  0032 at 10020890 99 HYVEDEMM488, 70020270 95 HYVEDEMMXXX: 4220053305 70020270/4220053305 HYVEDEMMXXX;
      5738164 kept; 891184085 not_convertible; 5772983087 invalid_account
rule 0034 replaces donation accounts, refuses 800000000 to 899999999 and finds the branch of ten digits
  0034 at 60020290 99 HYVEDEMM473, 78020070 99 HYVEDEMM424: 1270590604 78020070/1270590604 HYVEDEMM424;
      90707798 check_digit
rule 0035 replaces one donation account, refuses 800000000 to 899999999 and finds the branch of ten digits
  0035 at 79020076 99 HYVEDEMM455, 74320073 99 HYVEDEMM433: 1770077784 74320073/1770077784 HYVEDEMM433;
      23255367 kept
a branch without facts in the bank code file is an unknown bank
  0032 at 10020890 99 HYVEDEMM488: 4220053305 unknown_bank
rule 0031 tests the number by the method of the bank code given, too
  0031 at 10020890 00 HYVEDEMM488: 1210100047 check_digit
  0031 at 60020290 99 HYVEDEMM473, 76220073 99 HYVEDEMM419: 1210100047 76220073/1210100047 HYVEDEMM419
rules 0033 to 0035 take donation accounts without asking the method
  0033 at 70020270 54 -: 94 0002711931
  0034 at 60020290 54 -: 502 4340118001
  0035 at 79020076 54 -: 9696 1490196966
each rule replaces its donation accounts, keeps other numbers and tests their check digit
  0004 at 10050000 B8 BANKDEFFXXX: 135 0990021440; 484848 0920018963; 4925 kept; 231042 check_digit
  0007 at 37050198 00 BANKDEFFXXX: 111 0000001115; 2602024 0005602024; 222220022 0002222222; 68981 kept;
      377367 check_digit
  0015 at 37060193 06 BANKDEFFXXX: 94 3008888018; 556 0000101010; 400569017 4000569017; 6294685 kept;
      919372736 check_digit
  0017 at 38060186 06 BANKDEFFXXX: 100 2009090013; 50005000 5000500013; 272 kept; 273 check_digit
  0024 at 36060295 06 BANKDEFFXXX: 94 0000001694; 400 0000014400; 3190 kept; 2586 check_digit
  0054 at 21060237 33 BANKDEFFXXX: 500 0000500500; 10796740 0010796743; 2210531180 0201053180; 4413 kept;
      829857 check_digit
each rule takes its listed numbers without a check digit, and no others
  0027 at 32060362 06 BANKDEFFXXX: 3333 4444 9822 kept; 52249488 33330 check_digit
  0030 at 13091054 32 BANKDEFFXXX: 1718190 9999999999 7919 kept; 42630306 check_digit
rule 0009 turns the leading digits 1116 into 3047 where the account moves
  0009 at 68351976 00 SOLADES1ZLW, 68351557 00 SOLADES1SFH: 1116232594 68351557/3047232594 SOLADES1SFH;
      16005845 68351557/0016005845 SOLADES1SFH; 26661 check_digit
  0009 at 68351557 00 SOLADES1SFH: 1116232594 kept
rule 0010 replaces the donation accounts at 50050201 also when they come from 50050222
  0010 at 50050201 96 HELADEF1822: 2000 0000222000; 800000 0000180802
  0010 at 50050222 19 HELADEF1822, 50050201 96 HELADEF1822: 2000 50050201/0000222000 HELADEF1822;
      800000 50050201/0000180802 HELADEF1822
  0010 at 50050299 09 -: 2000 kept
rule 0021 takes only accounts of 6, 7, 9 or 10 digits
  0021 at 36020030 09 NBAGDE3EXXX: 777777 7777777 777777777 7777777777 kept;
      7 77 777 7777 77777 77777777 invalid_account
rule 0041 replaces every number by one fixed account, even where its bank code is not known
  0041 at 62220000 09 BSHHDE61XXX: 1 62220000 9999999999 50060400/0000011404 GENODEFFXXX
`;

for (const paragraph of examples.trim().split(/\n(?=\S)/)) {
  const [name = "", ...lines] = paragraph.split(/\n {2}(?! )/);
  test(name, () => {
    for (const line of lines) {
      const parts = /^(\d{4}) at ((\d{8}) \S+ ([^ ,:]+).*?): (.*)$/.exec(line.replace(/\n +/g, " "))!;
      const [, rule = "", banks = "", blz = "", bic, accounts = ""] = parts;
      const account = accountByRule(rule, banks);
      for (const example of accounts.split("; ")) {
        const [, numbers = "", becomes = ""] = /^([\d ]+) ([a-z_]+|\d{10}|\d{8}\/\d{10} \w+)$/.exec(example)!;
        for (const number of numbers.split(" ")) {
          const expected = /^\d{10}$|^kept$/.test(becomes)
            ? `${blz}/${becomes === "kept" ? number.padStart(10, "0") : becomes} ${bic}`
            : becomes;
          for (const written of [number, number.padStart(10, "0")])
            assert.equal(account(blz, written), expected, `${rule} ${blz} ${written}`);
        }
      }
    }
  });
}

/** The overview's table: a rule, whether any bank code with it moves or those listed alone, where to, and the BIC there. */
const moving = `
  0008 any 10020200 86020200 → 50020200 BHFBDEFF500
  0009 listed 68351976 → 68351557 SOLADES1SFH
  0010 listed 50050222 → 50050201 FILEDEFFXXX
  0012 any 50850049 → 50050000 HELADEFFXXX
  0013 any 40050000 44050000 → 30050000 WELADEDDXXX
  0014 any 10090603 → 30060601 DAAEDEDDXXX
  0019 listed 50130100 50220200 70030800 → 50120383 DELBDE33XXX
  0021 any 35020030 → 36020030 NBAGDE3EXXX
  0025 any 64150182 → 60050101 FILEDEFFXXX
  0028 listed 25050299 → 25050180 SPKHDE2HXXX
  0037 listed 20110700 → 30010700 BOTKDEDXXXX
  0038 listed 26691213 28591579 25090300 → 28590075 GENODEF1LER
  0039 any 25621327 29121731 → 28020050 FILEDEFFXXX
  0040 any 68051310 → 68052328 SOLADES1STF
  0043 listed 60651070 → 66650085 PZHSDE66XXX
  0046 any 10120600 25020600 → 31010833 FILEDEFFXXX
  0048 listed 10120800 27010200 60020300 → 36010200 VONEDE33XXX
  0050 listed 28252760 → 28550000 BRLADE21LER
  0055 any 25410300 → 25410200 BHWBDE2HXXX
  0057 any 50810900 → 66010200 FILEDEFFXXX
`;
const elsewhere = "12345678";

for (const line of moving.trim().split("\n")) {
  const [given = "", there = ""] = line.trim().split(" → ");
  const [rule = "", which, ...from] = given.split(" ");
  const [to = "", bic = ""] = there.split(" ");

  test(`rule ${rule} moves the account to BLZ ${to}, whose method counts`, () => {
    // 123406 is right by method 00 only, 123404 by method 10 only.
    for (const blz of from) {
      const account = accountByRule(rule, `${blz} 10 FROMDEFFXXX, ${to} 00 FILEDEFFXXX`);
      assert.equal(account(blz, "123406"), `${to}/0000123406 ${bic}`, blz);
      assert.equal(account(blz, "123404"), "check_digit", blz);
    }
    const atTarget = accountByRule(rule, `${to} 00 FILEDEFFXXX`);
    assert.equal(atTarget(to, "123406"), `${to}/0000123406 ${bic}`);
    const other = accountByRule(rule, `${elsewhere} 09 FROMDEFFXXX, ${to} 09 FILEDEFFXXX`);
    const moved = which === "any" ? `${to}/0000123404 ${bic}` : `${elsewhere}/0000123404 FROMDEFFXXX`;
    assert.equal(other(elsewhere, "123404"), moved);
  });
}
