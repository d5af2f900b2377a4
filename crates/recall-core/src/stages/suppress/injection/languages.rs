//! Instructions to a model in the languages most met: drop your rules, show your prompt, be somebody without rules, I am the administrator.

/// The same in the languages most met; letters come without accents.
pub(super) const OTHER_LANGUAGES: &[&str] = &[
    // German
    r"\b(?:ignorier[a-z]*|vergiss|vergesst|vergessen sie|missachte[a-z]*|umgeh[a-z]*)\b.{0,40}\b(?:anweisung|instruktion|regel|vorgabe|richtlinie|befehl|beschrankung)",
    r"\b(?:zeig[a-z]*|verrat[a-z]*|nenn[a-z]*|gib|gibst|offenbar[a-z]*)\b.{0,50}\b(?:system-?prompt|systemanweisung|systemnachricht|interne[nr]? (?:daten|anweisung)|geheimen anweisung|passworter)",
    r"\bneue anweisung[a-z]*\s?:|\bab (?:sofort|jetzt)\b.{0,60}\b(?:bist du|sind sie|ohne (?:einschrankung|regeln|filter)|internen|gehorch)|\bdu bist (?:jetzt|nun|ab sofort)\b.{0,40}\b(?:ohne|ein|frei|dan)\b|systemhinweis\s?:|\bohne einschr(?:a|ae)nkungen? (?:zu )?antworte|\bsicherheits(?:richtlinien|regeln|prufungen)\b.{0,40}\bnicht (?:gelten|mehr)|\buberspring[a-z]*\b.{0,40}\b(?:sicherheit|prufung)|\bkeine regeln gelten\b",
    r"\bich (?:bin|habe)\b.{0,30}\b(?:administrator|admin)(?:rechte|zugriff|zugang)?\b.{0,30}\b(?:dieser|dieses|des systems|auf alle|plattform)|\b(?:voller?|vollen|uneingeschrankten?|unbegrenzten?) (?:zugriff|zugang)\b.{0,30}\b(?:alle|system|konten|daten)|\badmin(?:istrator)?rechte\b",
    r"\b(?:befehl|anweisung|anordnung|auftrag|auftrage|wunsch)[a-z]*\b.{0,40}\bohne (?:weitere |jede |vorherige )?(?:ruckfrage|nachfrage|prufung|uberprufung|bestatigung)",
    // French
    r"\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er)|contourn(?:e|ez|er)|ne ten(?:ez|s) pas compte)\b.{0,40}\b(?:instructions?|consignes?|regles?|directives?|restrictions?)",
    r"\b(?:revel(?:e|ez|er)|montr(?:e|ez|er)|affich(?:e|ez|er)|donn(?:e|ez|er)|envoi?e?[sz]?)\b.{0,50}\b(?:instructions? systeme|prompt systeme|invite systeme|message systeme|prompt|instructions? mot pour mot|adresse externe)",
    r"\b(?:tu es|vous etes) (?:desormais|maintenant)\b.{0,50}\b(?:sans|libre|un|une|dan)\b|\bsans (?:aucune )?restrictions?\b.{0,20}$|\bregles de securite ne s'appliquent\b|\bnote systeme\s?:|\bnouvelles? instructions?\s?:|\baucune regle ne s'applique\b|\b(?:saute|ignore|passe)[rz]?\b.{0,30}\b(?:verification|controle)s? de securite",
    r"\bj'ai\b.{0,20}\bacces (?:total|complet|illimite|administrateur)|\bacces (?:total|complet|illimite)\b.{0,30}\b(?:tous les|aux|a tous|comptes|systeme|donnees)|\bje suis (?:l'|un |une )?admin(?:istrateur|istratrice)?\b.{0,30}\b(?:plateforme|systeme|site|assistant)|\bdroits d'admin",
    r"\b(?:ordres?|commandes?|instructions?|demandes?|requetes?)\b.{0,40}\bsans (?:aucune |autre |me )?(?:verification|verifier|confirmation|controle|poser de questions?)",
    // Spanish
    r"\b(?:ignora|ignore|olvida|olvide|omite|desobedece|salta(?:te)?)\b.{0,40}\b(?:instrucciones|reglas|directrices|ordenes|restricciones|controles de seguridad|comprobaciones)",
    r"\b(?:revela|muestra|muestrame|ensena|dime|imprime|repite)\b.{0,50}\b(?:prompt|instrucciones (?:del|de) sistema|instrucciones iniciales|mensaje del sistema|contrasenas)",
    r"\b(?:ahora|a partir de ahora|desde ahora)\b.{0,40}\b(?:eres|estas|actua|no tienes|sin (?:restricciones|filtros?|reglas))\b|\bsin restricciones\b.{0,30}$|\breglas de seguridad no (?:se )?aplican\b|\bnota del sistema\s?:|\bnuevas instrucciones\s?:|\bninguna regla\b.{0,20}\b(?:aplica|vale)",
    r"\b(?:tengo|tiene|tienes)\b.{0,20}\b(?:acceso (?:total|completo|ilimitado|sin limites|de admin[a-z]*)|permisos? (?:de admin[a-z]*|total(?:es)?|ilimitados?)|derechos de admin[a-z]*)|\bacceso (?:total|completo|ilimitado)\b.{0,30}\b(?:todas|todos|sistema|cuentas|datos)|\b(?:soy|es) (?:el |la |un |una )?admin(?:istrador|istradora)?\b.{0,30}\b(?:plataforma|sistema|sitio|asistente)",
    r"\b(?:ordenes|instrucciones|comandos|peticiones|solicitudes)\b.{0,40}\bsin (?:ninguna )?(?:verificacion|comprobacion|confirmacion|verificar|preguntar)",
    // Italian
    r"\b(?:ignora|ignorate|dimentica|dimenticate|trascura|salta)\b.{0,40}\b(?:istruzioni|regole|direttive|ordini|restrizioni|controlli di sicurezza)",
    r"\b(?:rivela|mostra|mostrami|stampa|ripeti|dimmi)\b.{0,50}\b(?:prompt|istruzioni di sistema|istruzioni iniziali|messaggio di sistema|password)",
    r"\b(?:ora|adesso|d'ora in poi|da ora)\b.{0,30}\b(?:sei|agisci|non hai)\b.{0,40}\b(?:senza|libero|un|dan)\b|\bsenza (?:restrizioni|limiti|filtri)\b.{0,20}$|\blinee guida di sicurezza non valgono\b|\bnuove istruzioni\s?:|\bnessuna regola\b.{0,20}\b(?:vale|si applica)|\bho (?:accesso|diritti|permessi)\b.{0,20}\b(?:total[ei]|complet[oi]|illimitat[oi]|amministra|admin)",
    r"\b(?:ordini|comandi|istruzioni|richieste)\b.{0,40}\bsenza (?:alcuna )?(?:verifica|conferma|controllo|controlli|chiedere)\b",
    // Portuguese
    r"\b(?:ignore|ignora|esqueca|esquece|desconsidere)\b.{0,40}\b(?:instrucoes|regras|diretrizes|ordens|restricoes)|\b(?:revele|mostre|mostra|imprima|repita)\b.{0,50}\b(?:prompt|instrucoes do sistema|instrucoes iniciais)|\b(?:agora|a partir de agora)\b.{0,30}\bvoce (?:e|esta|nao tem)\b.{0,40}\b(?:sem|livre|um|uma)\b|\btenho acesso (?:total|completo|ilimitado|de admin)|\bsou (?:o |a |um |uma )?administrador[a]?\b.{0,20}\b(?:plataforma|sistema)",
    // Dutch, Polish, Turkish, Swedish
    r"\b(?:negeer|vergeet)\b.{0,40}\b(?:instructies|regels|richtlijnen|opdrachten)|\b(?:toon|onthul|laat)\b.{0,40}\b(?:systeemprompt|systeeminstructies)|\bik (?:ben|heb)\b.{0,20}\b(?:beheerder|admin|volledige toegang)\b.{0,30}\b(?:platform|systeem|alle)|\bje bent (?:nu|vanaf nu)\b.{0,30}\bzonder\b",
    r"\b(?:zignoruj|zapomnij|pomin)\b.{0,40}\b(?:instrukcj|polecen|zasad|regul)|\bmam pelny dostep\b|\bjestem administratorem\b.{0,20}\b(?:platformy|systemu|tej)",
    r"\b(?:onceki|tum)\b.{0,30}\b(?:talimat|kural)[a-z]*\b.{0,20}\b(?:yok say|unut|gormezden)|\bsistem istemini\b|\btam erisim[a-z]* var\b",
    r"\b(?:ignorera|glom)\b.{0,40}\b(?:instruktioner|regler)\b|\bvisa\b.{0,30}\bsystemprompt|\bjag (?:ar|har)\b.{0,20}\b(?:administrator|full atkomst)\b",
];

/// The same in other scripts; tried only where a text holds any.
pub(super) const OTHER_SCRIPTS: &[&str] = &[
    // Russian, Ukrainian
    r"(?:игнорируй|игнорируйте|забудь|забудьте|не следуй)[а-я]*\s.{0,40}(?:инструкци|указани|правил|команд)|(?:покажи|раскрой|выведи|повтори)[а-я]*\s.{0,40}(?:системн[а-я]+ (?:промпт|подсказк|инструкци|сообщени)|промпт|инструкци)|ты теперь.{0,40}(?:без|dan|свобод)|у меня.{0,20}(?:полный|неограниченный) доступ|я (?:являюсь )?администратор[а-я]*\s.{0,20}(?:платформы|системы|этой)",
    // Chinese, Japanese, Korean
    r"(?:忽略|无视|忘记|忽視|無視).{0,12}(?:指令|指示|规则|規則|提示|命令|要求)|(?:显示|透露|输出|告诉我|重复|泄露).{0,12}(?:系统提示|系统指令|提示词|初始指令)|你现在是.{0,20}(?:没有|不受|无限制|管理员)|我(?:是|拥有|有).{0,10}(?:管理员|完全访问|所有权限|全部权限|最高权限)",
    r"(?:以前|これまで|前|すべて).{0,8}(?:指示|命令|ルール|規則).{0,6}(?:無視|忘れ)|(?:システムプロンプト|システム指示).{0,10}(?:表示|教え|出力|見せ)|あなたは今(?:から|後).{0,20}(?:制限|なし|です)|私は.{0,10}管理者|フルアクセス",
    r"(?:이전|모든|앞의).{0,10}(?:지시|명령|규칙).{0,8}(?:무시|잊)|시스템 프롬프트.{0,12}(?:보여|출력|알려|공개)|(?:나는|저는).{0,12}관리자|전체 (?:접근|액세스) 권한",
    // Arabic, Hindi
    r"(?:تجاهل|انس|تجاهلي).{0,30}(?:التعليمات|الأوامر|القواعد|تعليمات|قواعد)|(?:اعرض|اظهر|أظهر|اكشف).{0,30}(?:موجه النظام|تعليمات النظام|التعليمات)|(?:أنا|انا).{0,12}(?:مدير|مسؤول).{0,12}(?:النظام|المنصة)|(?:لدي|عندي).{0,14}(?:وصول كامل|صلاحيات كاملة|كل الصلاحيات)",
    r"(?:पिछले|सभी|पहले के).{0,20}(?:निर्देश|नियम|आदेश).{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)|सिस्टम प्रॉम्प्ट.{0,20}(?:दिखा|बता)|(?:मैं|मेरे पास).{0,20}(?:व्यवस्थापक|एडमिन|पूर्ण पहुंच|पूरी पहुंच)",
];
