import { stemWord } from './stem';

/**
 * Short words of the six languages of the product, with accents folded. They need not be complete: a missing one only means that
 * an earlier answer isn’t found.
 */

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}

/** Words that say nothing about the topic of a question. */
export const FUNCTION_WORDS = words(
  'a an the and or of for to in on at by from with as into onto about per each every i me my we us our you your he she it its they them their this that these those there here is are was were be been being am do does did done have has had can could may might would will shall if then than so just also how what which who whom whose when where why any some up s m re ve ll d t please',
  'der die das den dem des ein eine einen einem einer eines und oder von vom fur zu zum zur im in am an auf bei mit nach aus als ich du er sie es wir ihr man mir mich dir dich uns mein meine meinen meinem meiner unser unsere unseren dein deine ihre ist sind war waren sein bin habe hat haben hatte kann kannst konnen konnte darf durfen wird werden wurde wurden wird da hier dann auch nur so sich wie was welche welcher welches welchen wer wem wen wann wo warum weshalb wieso worin bitte pro jedes jede jeden hin daran dafur ob wenn dass um',
  'le la les un une des du de d l et ou au aux en dans sur sous par pour avec a je j tu il elle on nous vous ils elles me m te se s mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces ceci cela c est sont etait ete etre ai as ont avez avons avoir peux peut puis pouvons pouvez que qu qui quoi quel quelle quels quelles comment combien quand ou pourquoi y t ne n si vers depuis chez lors aussi donc svp',
  'el la los las un una unos unas y o de del al a en por para con su sus mi mis tu tus nuestro nuestra lo le les se me te nos yo el ella ellos usted es son esta estan fue ser estar hay he ha han puedo puede pueden podemos que como cual cuales quien quienes cuando cuanto cuanta cuantos cuantas donde si desde este esta esto ese esa eso cada favor',
  'の は が を に へ と で も や か から まで より です ます ください 何 方法 場合 教え 年 意味 する いる ある どう',
  '的 了 吗 呢 是 怎么 如何 怎样 什么 我 我们 你 您 可以 请问 请 在 和 里 有 由 被 会 到 一 个 一个 哪里 哪儿 多少 为什么 谁 就 都 也 把 对 从 年 多 哪 意思',
);

/** Words that change a question so little that one of two may lack them. */
export const WEAK_WORDS = words(
  'get gets getting got make makes made making use used using go goes find want wants need needs needed should must tell explain show know way ways procedure process step steps possible able exactly currently new work works thing things help right correct correctly best try trying set give given take takes taken mean means meaning value ask asks company handle handles local locally own actually really again need want made look like happen happens put happens',
  'finde finden machen macht mache gemacht tun tut geben gibt gehen geht bekomme bekommen bekommt muss mussen musst soll sollen sollte brauche brauchen braucht notig erforderlich genau aktuell neu neue neuen neuer neues moglich moglichkeit weg vorgehen gerade eigentlich bedeutet bedeutung lasse lassen erstellt besteht richtig lokal zeige sage erklare wollen will mochte',
  'trouver trouve trouvent faire fait fais faut falloir dois doit devons doivent vouloir veux possible nouveau nouvelle nouveaux exactement actuellement suivre utiliser utilise utilisateur donner moyen maniere facon procedure etape etapes signifie signification mis mise prend pris prise prendre charge bien local localement limite temps',
  'encontrar encuentro hacer hago hace tener tengo tiene debo debe deben quiero necesito nuevo nueva nuevos posible manera forma procedimiento paso pasos significa significado exactamente usar uso',
  'どの よう どうやって 使い方 手順',
  '方法 步骤 需要 应该 找到',
);

/** Words of similar meaning in questions: each line counts as one word. */
const SYNONYMS = [
  'delete remove erase',
  'change modify edit',
  'fix solve resolve repair',
  'display show',
  'start launch',
  'allow permit',
  'often frequently frequency',
  'request ask',
  'approve authorize',
  'annual year yearly',
  'loschen entfernen',
  'andern wechseln bearbeiten',
  'beheben reparieren losen',
  'anzeigen zeigen',
  'erlaubt gestattet darf durfen',
  'oft haufig',
  'starten ausfuhren',
  'warum weshalb wieso',
  'supprimer effacer',
  'changer modifier',
  'lancer demarrer executer',
  'afficher montrer',
  'permis autorise',
  'eliminar borrar quitar',
  'cambiar modificar',
  'agregar anadir',
  'iniciar arrancar',
];

/** The first of the words of similar meaning, by the others. */
export const SYNONYM_OF: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return others.map((other) => [other, first] as const);
  }),
);

/** Words that turn a question into its opposite. */
export const NEGATIONS = words(
  'not no never without cannot none neither',
  'nicht kein keine keinen keinem keiner nie niemals ohne',
  'pas non jamais sans aucun aucune',
  'no sin nunca ningun ninguna',
  '不 没 没有 未 无 非 禁用',
);

/** Words that two questions have both or neither. */
export const EXACT_WORDS = words(
  'off out down before after since until above below over under only except always max min maximum minimum first last next previous',
  'vor bevor nachdem seit uber unter nur ausser immer erste erster letzte letzter nachste',
  'avant apres jusque dessus dessous seulement sauf toujours premier derniere dernier',
  'antes despues hasta solo sobre bajo siempre primero ultimo',
);

/** Words after which the other thing is named: `convert X to Y` isn’t `convert Y to X`. */
export const TOWARDS = words('to into nach zu vers hacia');
export const AWAY = words('from aus von depuis de desde');

export type Interrogative =
  | 'how'
  | 'what'
  | 'time'
  | 'place'
  | 'person'
  | 'reason'
  | 'quantity'
  | 'polar'
  | 'none';

const INTERROGATIVES: readonly (readonly [Interrogative, ReadonlySet<string>])[] = [
  ['how', words('how wie comment como 如何 怎么 怎样')],
  [
    'what',
    words(
      'what which was welche welcher welches welchen worin que quoi quel quelle quels quelles cual cuales 什么 哪个',
    ),
  ],
  ['time', words('when wann quand cuando いつ 何时')],
  ['place', words('where wo wohin woher ou donde どこ 哪里 哪儿')],
  ['person', words('who whom whose wer wem wen qui quien quienes 誰 谁')],
  ['reason', words('why warum weshalb wieso pourquoi なぜ 为什么')],
  ['quantity', words('combien cuanto cuanta cuantos cuantas いくつ いくら 多少')],
];

export const INTERROGATIVE_OF: ReadonlyMap<string, Interrogative> = new Map(
  INTERROGATIVES.flatMap(([kind, set]) => [...set].map((word) => [word, kind] as const)),
);

/** After `how`, these ask for a quantity. */
export const QUANTITIES = words('many much long often far viel viele vielen lange oft haufig weit');

/** What begins a question that is answered by yes or no. */
export const AUXILIARIES = words(
  'do does did is are was were can could may must should will has have',
  'ist sind kann kannst konnen darf durfen muss mussen soll sollte sollten hat haben habe wird werden gibt',
  'est sont peut puis peux dois doit faut avons avez',
  'es son puedo puede debo debe hay esta estan',
);
/** After an auxiliary, these make it a request. */
export const ADDRESSEES = words('you du ihr sie tu vous usted');
/** What asks for a duty, not for a right. */
export const DUTIES = words('must should have need muss mussen soll sollen dois doit faut debo debe');

const stems = (list: string): ReadonlySet<string> => new Set(list.split(' ').map(stemWord));

/** The stems of words that name what an interrogative asks for: `the deadline` is asked for by `when`. */
export const ASKED_FOR: { readonly [K in Interrogative]?: ReadonlySet<string> } = {
  time: stems(
    'deadline date time day frist termin datum delai date fecha plazo 締め切り 締切 期限 截止 时间',
  ),
  place: stems('location place folder ort lieu emplacement lugar 場所 地点'),
  quantity: stems('number count amount period anzahl zahl dauer nombre duree numero cantidad 数 数量 天'),
  person: stems('person contact ansprechpartner responsable'),
};
